import { changesOf, isAddressChanged, NEW_CHANNEL, pairsOf, settingsOf } from './channel-values';

describe('the form of a platform credential', () => {
  it('reads a name and a value from each line, split at the first separator', () => {
    expect(pairsOf('X-Org: a:b\n\n x-team :  blue \nbroken', ':')).toEqual({
      'X-Org': 'a:b',
      'x-team': 'blue',
      broken: '',
    });
    expect(pairsOf('openai/gpt-5 = my=deployment', '=')).toEqual({ 'openai/gpt-5': 'my=deployment' });
  });

  it('sends empty texts and lists as null', () => {
    expect(settingsOf({ ...NEW_CHANNEL, name: ' ' })).toMatchObject({
      name: null,
      base_url: null,
      allowed_models: null,
    });
  });

  it('sends only changed values', () => {
    const before = { ...NEW_CHANNEL, name: 'One', headers: 'x-a: 1' };
    expect(changesOf(before, before)).toEqual({});
    expect(changesOf(before, { ...before, headers: 'x-a:1', weight: 3 })).toEqual({ weight: 3 });
    expect(changesOf(before, { ...before, name: '' })).toEqual({ name: null });
  });

  it('detects a changed address', () => {
    const before = { ...NEW_CHANNEL, base_url: 'https://one.example/v1' };
    expect(isAddressChanged(before, { ...before, base_url: ' https://one.example/v1 ' })).toBe(false);
    expect(isAddressChanged(before, { ...before, base_url: '' })).toBe(true);
  });
});

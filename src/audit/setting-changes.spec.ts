import { changedSettings } from './setting-changes.js';

describe('changedSettings', () => {
  it('returns the settings that differ, with their old and new values', () => {
    const before = { limit: 5, name: 'a', disabled: false, reset: null };
    expect(changedSettings(before, { limit: 50.5, name: 'a', disabled: true, reset: 'daily' })).toEqual([
      { setting: 'limit', from: '5', to: '50.5', secret: false },
      { setting: 'disabled', from: 'false', to: 'true', secret: false },
      { setting: 'reset', from: null, to: 'daily', secret: false },
    ]);
  });

  it('compares members of objects, and lists members that are removed', () => {
    expect(changedSettings({ models: { x: { rpm: 1 }, y: { rpm: 2 } } }, { models: { x: { rpm: 3 } } })).toEqual([
      { setting: 'models.x.rpm', from: '1', to: '3', secret: false },
      { setting: 'models.y.rpm', from: '2', to: null, secret: false },
    ]);
  });

  it('returns the values that are set for a new object', () => {
    expect(changedSettings(undefined, { limit: 5, disabled: false, reset: null })).toEqual([
      { setting: 'limit', from: null, to: '5', secret: false },
    ]);
  });

  it('returns only the name of a secret', () => {
    expect(changedSettings({}, {}, ['key'])).toEqual([{ setting: 'key', from: null, to: null, secret: true }]);
  });

  it('distinguishes an empty list from no list', () => {
    expect(changedSettings({ models: null }, { models: [] })).toMatchObject([{ from: null, to: 'none' }]);
    expect(changedSettings({ models: ['a'] }, { models: ['a', 'b'] })).toMatchObject([{ from: 'a', to: 'a, b' }]);
  });

  it('returns at most 40 settings, and at most 256 characters of a value even if only later characters differ', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`s${at}`, at]));
    expect(changedSettings({}, many)).toHaveLength(40);
    const [change] = changedSettings({ text: `${'😀'.repeat(500)}a` }, { text: `${'😀'.repeat(500)}b` });
    expect(change!.to!.length).toBeLessThanOrEqual(256);
    expect(change!.to!.isWellFormed()).toBe(true);
    expect(changedSettings({}, { name: 'a\0\ud800' })).toMatchObject([{ to: 'a\ufffd' }]);
  });
});

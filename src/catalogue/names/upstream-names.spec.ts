import { aModel, anEndpoint } from '../../../test/support/catalogue/catalogue-builder.js';
import { undated, UpstreamNames } from './upstream-names.js';

describe("a vendor's own names of models", () => {
  it.each([
    ['claude-opus-4-5-20251101', 'claude-opus-4-5'],
    ['claude-opus-4-5@20251101', 'claude-opus-4-5'],
    ['gpt-4o-2024-05-13', 'gpt-4o'],
    ['claude-opus-4-7', 'claude-opus-4-7'],
    ['mistral-large-2411', 'mistral-large-2411'],
    ['a-202511011', 'a-202511011'],
    ['20251101', '20251101'],
    ['a-20251101-b', 'a-20251101-b'],
  ])('%s without its date is %s', (name, base) => {
    expect(undated(name)).toBe(base);
  });

  it('lead to the offers whose names differ only in the date', () => {
    const names = new UpstreamNames([
      aModel('a/one', { endpoints: [anEndpoint('x', { upstreamModel: 'one-20251101' })] }),
      aModel('b/one', { endpoints: [anEndpoint('y', { upstreamModel: 'one' })] }),
      aModel('c/two', { endpoints: [anEndpoint('z', { upstreamModel: 'two' })] }),
    ]);
    const slugs = (name: string): string[] => names.offersOf(name).map(({ model }) => model.id);
    expect(slugs('one')).toEqual(['a/one', 'b/one']);
    expect(slugs('one-2020-01-01')).toEqual(['a/one', 'b/one']);
    expect(slugs('two@20251101')).toEqual(['c/two']);
    expect(slugs('three')).toEqual([]);
  });

  it('lead to no offers if they have an author, because they are slugs of another service', () => {
    const names = new UpstreamNames([aModel('a/one', { endpoints: [anEndpoint('x', { upstreamModel: 'b/one' })] })]);
    expect(names.offersOf('b/one')).toEqual([]);
    expect(names.offersOf('one')).toEqual([]);
  });

  it('lead to no built-in models', () => {
    const names = new UpstreamNames([
      aModel('builtin/poster', { endpoints: [anEndpoint('builtin', { upstreamModel: 'poster' })] }),
    ]);
    expect(names.offersOf('poster')).toEqual([]);
  });
});

import { scopeSearch } from './scope-search';

describe('the scope in the address of every page', () => {
  it('keeps well-formed parameters', () => {
    const search = { workspace: 'an id', range: 'last-month', from: '2026-02-28', to: '2026-03-01' };
    expect(scopeSearch(search)).toEqual(search);
  });

  it('drops invalid and unknown parameters', () => {
    const search = { workspace: '', range: '31d', from: '2026-2-8', to: '2026-13-01', other: 'x' };
    expect(scopeSearch(search)).toEqual({});
    expect(scopeSearch({ workspace: 7, range: ['7d'], from: 20260228 })).toEqual({});
  });
});

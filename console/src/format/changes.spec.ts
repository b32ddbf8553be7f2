import { changedMembers } from './changes';

describe('the changed members of a form', () => {
  it('are the members with different values; lists and objects are compared by their content', () => {
    const before = { name: 'a', limit: null as number | null, models: ['x'], cache: { enabled: false } };
    expect(changedMembers(before, { ...before })).toEqual({});
    expect(changedMembers(before, { ...before, models: ['x'], cache: { enabled: false } })).toEqual({});
    expect(changedMembers(before, { ...before, limit: 5, models: ['x', 'y'] })).toEqual({
      limit: 5,
      models: ['x', 'y'],
    });
  });

  it('include a value that became null', () => {
    expect(changedMembers<{ limit: number | null }>({ limit: 5 }, { limit: null })).toEqual({ limit: null });
  });
});

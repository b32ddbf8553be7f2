import { MIGRATIONS } from './migrations.js';

describe('the migrations', () => {
  it('are listed in the order of their numbers, each once', () => {
    const names = MIGRATIONS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].toSorted());
  });
});

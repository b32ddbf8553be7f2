import { movedDown, movedUp, type PriorityChanges, type Ranked } from './priority-moves';

const rows = (priorities: Readonly<Record<string, number>>): Ranked[] =>
  Object.entries(priorities).map(([id, priority]) => ({ id, priority }));
const asMap = (changes: PriorityChanges): Record<string, number> =>
  Object.fromEntries(changes.map(({ id, priority }) => [id, priority]));

describe('moving a credential in the order of its provider', () => {
  it.each([
    ['leaves a shared first priority', { env: 0, a: 0 }, { a: -1 }],
    ['joins the priority ahead if it is alone', { env: 0, a: 1 }, { a: 0 }],
    ['takes a free number', { env: 0, a: 5, b: 5 }, { a: 4 }],
    ['makes room behind it if 0 is ahead', { env: 0, a: 1, b: 1, c: 2 }, { b: 2, c: 3 }],
    ['makes room ahead of it if 0 is its own', { env: 0, a: 0, b: -1, c: -2 }, { a: -1, b: -2, c: -3 }],
    ['changes nothing if it is first', { env: 0, a: -1 }, {}],
    ['changes nothing if it is the only one', { a: 0 }, {}],
  ])('up: it %s', (_, before, changes) => {
    expect(asMap(movedUp(rows(before), 'a'))).toEqual(changes);
  });

  it.each([
    ['leaves a shared last priority', { env: 0, a: 0 }, { a: 1 }],
    ['joins the priority behind if it is alone', { env: 0, a: -1 }, { a: 0 }],
    ['makes room ahead of it if 0 is behind', { env: 0, a: -1, b: -1, c: -2 }, { b: -2, c: -3 }],
    ['makes room behind it if 0 is its own', { env: 0, a: 0, b: 1 }, { a: 1, b: 2 }],
    ['changes nothing if it is last', { env: 0, a: 1 }, {}],
  ])('down: it %s', (_, before, changes) => {
    expect(asMap(movedDown(rows(before), 'a'))).toEqual(changes);
  });
});

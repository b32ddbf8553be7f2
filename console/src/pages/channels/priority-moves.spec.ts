import { movedDown, movedUp, type PriorityChanges, type Ranked } from './priority-moves';

const rows = (priorities: Readonly<Record<string, number>>): Ranked[] =>
  Object.entries(priorities).map(([id, priority]) => ({ id, priority }));
const asMap = (changes: PriorityChanges): Record<string, number> =>
  Object.fromEntries(changes.map(({ id, priority }) => [id, priority]));

describe('moving a credential', () => {
  it.each([
    ['gives it a lower number than all others if it shares the first priority', { env: 0, a: 0 }, { a: -1 }],
    ['gives it the priority of the credential ahead if it shares no priority', { env: 0, a: 1 }, { a: 0 }],
    ['gives it a free number ahead of the credentials that share its priority', { env: 0, a: 5, b: 5 }, { a: 4 }],
    [
      'gives the credentials behind it higher numbers if 0 is directly ahead',
      { env: 0, a: 1, b: 1, c: 2 },
      { b: 2, c: 3 },
    ],
    [
      'gives the credentials ahead of it lower numbers if its priority is 0',
      { env: 0, a: 0, b: -1, c: -2 },
      { a: -1, b: -2, c: -3 },
    ],
    ['changes nothing if the credential is first', { env: 0, a: -1 }, {}],
    ['changes nothing if there is no other credential', { a: 0 }, {}],
  ])('up %s', (_, before, changes) => {
    expect(asMap(movedUp(rows(before), 'a'))).toEqual(changes);
  });

  it.each([
    ['gives it a higher number than all others if it shares the last priority', { env: 0, a: 0 }, { a: 1 }],
    ['gives it the priority of the credential behind if it shares no priority', { env: 0, a: -1 }, { a: 0 }],
    [
      'gives the credentials ahead of it lower numbers if 0 is directly behind',
      { env: 0, a: -1, b: -1, c: -2 },
      { b: -2, c: -3 },
    ],
    ['gives the credentials behind it higher numbers if its priority is 0', { env: 0, a: 0, b: 1 }, { a: 1, b: 2 }],
    ['changes nothing if the credential is last', { env: 0, a: 1 }, {}],
  ])('down %s', (_, before, changes) => {
    expect(asMap(movedDown(rows(before), 'a'))).toEqual(changes);
  });
});

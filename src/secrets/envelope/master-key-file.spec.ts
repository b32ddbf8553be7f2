import { parseMasterKeys, textOfMasterKeys } from './master-key-file.js';
import { newMasterKey, textOfMasterKey } from './master-key.js';

const [one, two, three] = [newMasterKey(), newMasterKey(), newMasterKey()];
const [first, second, third] = [one, two, three].map(textOfMasterKey) as [string, string, string];
const ids = (text: string): unknown => {
  const keys = parseMasterKeys(text);
  if (typeof keys === 'string') return keys;
  return { current: keys.current?.id, next: keys.next.map(({ id }) => id), retired: keys.retired.map(({ id }) => id) };
};

describe('a master key file', () => {
  it('without labels contains the current key, then the next key', () => {
    expect(ids(`${first}\n`)).toEqual({ current: one.id, next: [], retired: [] });
    expect(ids(`\n ${first} \r\n${second}\n`)).toEqual({ current: one.id, next: [two.id], retired: [] });
  });

  it('in the labelled format states the purpose of each key, in any order, with or without its id', () => {
    const text =
      `gatehouse-master-keys 2\n# a remark\nretired ${three.id} ${third}\n\nnext   ${second}\n` +
      `current\t${one.id} ${first}`;
    expect(ids(text)).toEqual({ current: one.id, next: [two.id], retired: [three.id] });
  });

  it('has the same keys after it was written and read again', () => {
    const keys = { current: one, next: [two], retired: [three] };
    expect(ids(textOfMasterKeys(keys))).toEqual({ current: one.id, next: [two.id], retired: [three.id] });
    expect(textOfMasterKeys({ current: one, next: [], retired: [] })).toMatch(/^gatehouse-master-keys 2\n/);
  });

  it('accepts keys in base64 too', () => {
    const text = `gatehouse-master-keys 2\ncurrent ${Buffer.from(first, 'hex').toString('base64')}\n`;
    expect(ids(text)).toEqual({ current: one.id, next: [], retired: [] });
  });

  it.each([
    ['nothing', '', 'holds no key'],
    ['an invalid key without a label', 'abc\n', 'line 1 must be a key: 32 bytes as 64 hex characters or as base64'],
    [
      'a label without the format line',
      `current ${first}\n`,
      'line 1 must be a key: 32 bytes as 64 hex characters or as base64',
    ],
    ['a newer format', `gatehouse-master-keys 3\ncurrent ${first}\n`, 'is of format 3, which a newer Gatehouse wrote'],
    [
      'an unknown label',
      `gatehouse-master-keys 2\nolder ${first}\n`,
      'line 2 must be `current`, `next` or `retired`, optionally the id of the key, and the key',
    ],
    ['no current key', `gatehouse-master-keys 2\nretired ${first}\n`, 'holds no current key'],
    [
      'two current keys',
      `gatehouse-master-keys 2\ncurrent ${first}\ncurrent ${second}\n`,
      'holds 2 current keys: it must hold exactly one',
    ],
    [
      'an id of another key',
      `gatehouse-master-keys 2\ncurrent ${two.id} ${first}\n`,
      `line 2 names the id ${two.id}, and its key has the id ${one.id}`,
    ],
    [
      'a bad key',
      `gatehouse-master-keys 2\ncurrent ${one.id} ${first.slice(2)}\n`,
      'line 2 must be `current`, `next` or `retired`, optionally the id of the key, and the key',
    ],
  ])('with %s is refused with a sentence that contains no key', (_, text, sentence) => {
    expect(ids(text)).toBe(sentence);
    expect(sentence).not.toMatch(/[0-9a-f]{32}/);
  });
});

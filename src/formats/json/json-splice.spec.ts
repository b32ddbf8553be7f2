import fc from 'fast-check';
import { elementsOf, JsonSplice, KEPT, jsonMembers, REMOVED, type MemberChange } from './json-splice.js';

const spliced = (json: string, changes: ReadonlyMap<string, MemberChange>): string => {
  const bytes = Buffer.from(json);
  const splice = new JsonSplice(bytes);
  splice.object(jsonMembers(bytes), changes);
  return splice.result().toString();
};

describe('JSON splice', () => {
  it.each([
    ['keeps every byte of members that are not named', '{ "a" : 1.0e+0 , "\\u0062":"\\ud83d" }', {}, null],
    ['replaces a value in its place', '{"a":1,"model":"x","b":2}', { model: '"y"' }, '{"a":1,"model":"y","b":2}'],
    ['appends missing members', '{"a":1}', { b: 'true' }, '{"a":1,"b":true}'],
    ['appends to an empty object', ' { } ', { a: '1', b: '2' }, ' {"a":1,"b":2 } '],
    ['removes the first member', '{"a":1, "b":2}', { a: REMOVED }, '{"b":2}'],
    ['removes the last member', '{"a":1, "b":2}', { b: REMOVED }, '{"a":1}'],
    ['removes a middle member', '{"a":1,"b":[{}],"c":3}', { b: REMOVED }, '{"a":1,"c":3}'],
    ['removes neighbours', '{"a":1,"b":2,"c":3,"d":4}', { a: REMOVED, b: REMOVED, d: REMOVED }, '{"c":3}'],
    ['removes all and appends', '{"a":1,"b":2}', { a: REMOVED, b: REMOVED, c: '3' }, '{"c":3}'],
    ['removes all', '{"a":1,"b":2}', { a: REMOVED, b: REMOVED }, '{}'],
    ['replaces the last duplicate and removes the others', '{"a":1,"b":0,"a":2}', { a: '9' }, '{"b":0,"a":9}'],
    ['removes all duplicates', '{"a":1,"b":0,"a":2}', { a: REMOVED }, '{"b":0}'],
    ['keeps the last of duplicates that are not named', '{"a":1,"b":0,"a":2}', {}, '{"b":0,"a":2}'],
    ['decodes an escaped name', '{"m\\u006fdel":"x","b":1}', { model: '"y"' }, '{"m\\u006fdel":"y","b":1}'],
    ['removes a name in another case', '{"Model":"x","model":"z","N":4}', { model: '"y"', n: KEPT }, '{"model":"y"}'],
    ['folds case as Unicode does', '{"to\\u212Aen":1,"a":2}', { token: REMOVED }, '{"a":2}'],
    ['reads strings that end in escapes', '{"a":"\\\\","b":"\\"}{","c":"x"}', { b: '0' }, '{"a":"\\\\","b":0,"c":"x"}'],
    [
      'reads long strings with escapes',
      `{"a":"${'\\\\'.repeat(40)}","b":1}`,
      { b: '2' },
      `{"a":"${'\\\\'.repeat(40)}","b":2}`,
    ],
    ...[24, 25, 48, 100, 1_000, 100_000].map(
      (times) =>
        [
          `reads strings of ${times} escaped quotes and backslashes`,
          `{"a":"${'x'.repeat(times)}${'\\"'.repeat(times)}${'y'.repeat(times)}${'\\"\\\\'.repeat(times)}","b":1}`,
          { b: '2' },
          `{"a":"${'x'.repeat(times)}${'\\"'.repeat(times)}${'y'.repeat(times)}${'\\"\\\\'.repeat(times)}","b":2}`,
        ] as const,
    ),
    [
      'reads long strings with quotes',
      `{"a":"${'\\"'.repeat(40)}","b":1}`,
      { b: '2' },
      `{"a":"${'\\"'.repeat(40)}","b":2}`,
    ],
  ] as const)('%s', (_, json, changes, expected) => {
    expect(spliced(json, new Map<string, MemberChange>(Object.entries(changes)))).toBe(expected ?? json);
  });

  it('finds members and elements at any depth up to 64', () => {
    const deep = `${'[{"a":'.repeat(32)}1${'}]'.repeat(32)}`;
    const bytes = Buffer.from(`{"x":${deep},"y":2}`);
    expect(jsonMembers(bytes).map(({ name }) => name)).toEqual(['x', 'y']);
    const [x] = jsonMembers(bytes);
    expect(elementsOf(bytes, x!.valueStart)).toHaveLength(1);
  });

  it('changes inner objects, and nothing inside a member that is removed', () => {
    const bytes = Buffer.from('{"list":[{"a":1},2,{"b":{"a":1}}],"c":0}');
    const edit = (outer: MemberChange): string => {
      const splice = new JsonSplice(bytes);
      const members = jsonMembers(bytes);
      splice.object(members, new Map([['list', outer]]));
      const [element] = elementsOf(bytes, members[0]!.valueStart);
      splice.object(jsonMembers(bytes, element!.start), new Map([['a', REMOVED]]), element!.start);
      return splice.result().toString();
    };
    expect(edit(KEPT)).toBe('{"list":[{},2,{"b":{"a":1}}],"c":0}');
    expect(edit(REMOVED)).toBe('{"c":0}');
    expect(edit('7')).toBe('{"list":7,"c":0}');
  });

  it.each(['{"a', '{"a"', '{"a":', '{"a":[', '{"a":[}', '{"a":1', '{', '', '[1]', '{"a":[1}]}'])(
    'throws a RangeError for the invalid document %j',
    (json) => {
      expect(() => {
        const members = jsonMembers(Buffer.from(json));
        for (const { valueStart } of members) if (json[valueStart] === '[') elementsOf(Buffer.from(json), valueStart);
      }).toThrow(RangeError);
    },
  );

  it('has the same result as equal changes to the parsed object, for any object and any changes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.option(fc.jsonValue())),
        fc.integer({ min: 0, max: 3 }),
        (object, changes, indent) => {
          const wanted = new Map(Object.entries(object));
          const edits = new Map<string, MemberChange>();
          for (const [name, value] of [...Object.entries(changes), ...Object.entries(object).slice(0, 1)]) {
            edits.set(name, value === null ? REMOVED : JSON.stringify(value));
            if (value === null) wanted.delete(name);
            else wanted.set(name, value);
          }
          for (const name of Object.keys(object))
            if (!edits.has(name) && !/^[a-z0-9_]*$/.test(name) && edits.has(name.toUpperCase().toLowerCase()))
              wanted.delete(name);
          const result = JSON.parse(spliced(JSON.stringify(object, null, indent), edits)) as object;
          const printed = (entries: Iterable<[string, unknown]>): string[] =>
            [...entries].map((entry) => JSON.stringify(entry)).sort();
          expect(printed(Object.entries(result))).toEqual(printed(wanted));
        },
      ),
    );
  });
});

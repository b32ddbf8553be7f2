import fc from 'fast-check';
import { LargeJson } from './large-json.js';

/** The steps are so small that every container is built from pieces. */
const TINY = { bytes: 7, values: 2 };

function parsed(text: string, size = TINY): unknown {
  const scan = new LargeJson(Buffer.from(text), 0, true, size);
  while (!scan.advance());
  return scan.built ?? JSON.parse(text);
}

/**
 * Names without characters that need an escape. JSON.parse of V8 13.6 has a bug: after it parses an object with a
 * backslash in a name, it may confuse other escaped names with that name. Other test files of the worker contain such
 * objects.
 */
const names = fc
  .oneof(fc.constantFrom('a', 'b', '0', '1', '10', 'constructor', 'ü'), fc.string({ maxLength: 3 }))
  .filter((name) => name !== '__proto__' && !JSON.stringify(name).includes('\\'));
const scalar = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    scalar,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(names, tie('value'), { maxKeys: 6 }),
  ),
}));
const document = fc.dictionary(names, value, { maxKeys: 6 });
const space = fc.constantFrom('', ' ', '\n\t', '  ');

/** JSON text with white space between its tokens, and with duplicate members. */
const spaced = (thing: unknown, gap: string): string =>
  Array.isArray(thing)
    ? `[${gap}${thing.map((each) => spaced(each, gap)).join(`${gap},${gap}`)}${gap}]`
    : typeof thing === 'object' && thing !== null
      ? `{${gap}${Object.entries(thing)
          .flatMap(([name, each]) => [
            `${JSON.stringify(name)}${gap}:${gap}1`,
            `${JSON.stringify(name)}${gap}:${spaced(each, gap)}`,
          ])
          .join(`${gap},${gap}`)}${gap}}`
      : JSON.stringify(thing);

describe('the parser of large JSON', () => {
  it.each([TINY, { bytes: 1, values: 1 }, { bytes: 64, values: 5 }, { bytes: 65_536, values: 4_096 }])(
    'returns the result of JSON.parse, in steps of %j',
    (size) => {
      fc.assert(
        fc.property(document, space, (thing, gap) => {
          const text = spaced(thing, gap);
          expect(parsed(text, size)).toEqual(JSON.parse(text));
          expect(JSON.stringify(parsed(text, size))).toBe(JSON.stringify(JSON.parse(text)));
        }),
        { numRuns: 200 },
      );
    },
  );

  it('refuses what JSON.parse refuses, and nothing else', () => {
    const noise = fc.constantFrom(
      '',
      ',',
      ':',
      '"',
      '\\',
      '{',
      '}',
      '[',
      ']',
      '1',
      '.',
      '-',
      'e',
      'true',
      'nul',
      ' ',
      '\u0001',
      'ü',
      '01',
      '/',
    );
    let refused = 0;
    fc.assert(
      fc.property(document, fc.nat(), fc.nat(4), noise, (thing, at, cut, piece) => {
        const text = spaced(thing, '');
        const index = 1 + (at % text.length);
        // Converted like UTF-8 input, because a cut may leave half a character.
        const changed = Buffer.from(text.slice(0, index) + piece + text.slice(index + cut)).toString();
        const expected = outcome(() => JSON.parse(changed) as unknown);
        if (expected === 'refused') refused++;
        expect(outcome(() => parsed(changed))).toEqual(expected);
      }),
      { numRuns: 1_500 },
    );
    expect(refused).toBeGreaterThan(300);
  });

  it.each([
    '{"a":[1,2,3,],"b":1}',
    '{"a":[1,2,3],}',
    '{"a":[[1,2,3]4]}',
    '{"a":[[1,2,3],[4,5,6]',
    '{"a":1}}',
    '{"a":1}{}',
    '{"a" 1}',
    '{"a":[1,2,3}',
    '{,}',
    '{"a":01,"b":2,"c":3}',
    '{"a":"\n","b":2,"c":3}',
    '{"a":[{"b":[1,2,3]}"c"]}',
  ])('refuses %s', (text) => {
    expect(() => parsed(text)).toThrow(/is not valid JSON/);
  });

  it('leaves out members __proto__ at every depth, and reports them', () => {
    for (const text of [
      '{"__proto__":{"a":[1,2,3]},"b":1}',
      '{"a":[1,2,{"__proto__":[1,2,3,4]}]}',
      '{"a":1,"b":2,"\\u005f_proto__":3}',
    ]) {
      const scan = new LargeJson(Buffer.from(text), 0, true, TINY);
      while (!scan.advance());
      expect(JSON.stringify(scan.built)).not.toContain('proto');
      expect(scan.facts.hadProto).toBe(true);
    }
  });
});

const outcome = (parse: () => unknown): unknown => {
  try {
    return parse();
  } catch {
    return 'refused';
  }
};

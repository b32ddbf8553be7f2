import fc from 'fast-check';
import { LONG_TESTS, rounds } from '../../../test/support/long-tests.js';
import { revealsAny } from '../../../test/support/secrets/secret-readings.js';
import { VALUES, WRITINGS } from '../../../test/support/secrets/secret-writings.js';
import { SecretMatcher } from './secret-matcher.js';

/** The masked source, after it was pushed in pieces of the lengths `cuts` and one piece with the rest. */
function masked(matcher: SecretMatcher, source: Buffer, cuts: readonly number[] = []): Buffer {
  const window = matcher.newWindow();
  const parts: Buffer[] = [];
  let at = 0;
  // Copies each piece, because a socket delivers separate buffers.
  for (const cut of cuts) parts.push(window.push(Buffer.from(source.subarray(at, (at += cut)))));
  parts.push(window.push(Buffer.from(source.subarray(at))), window.end());
  return Buffer.concat(parts);
}

const BEFORE = Buffer.from('{"before":"');
const AFTER = Buffer.from('","after":1}');

describe('a secret in a response', () => {
  it.each(WRITINGS.map((writing) => [writing.name, writing] as const))(
    'is masked %s, for any value and wherever the response is split',
    (_, { write }) => {
      let written = 0;
      for (const value of VALUES) {
        const bytes = write(value);
        if (bytes === undefined) continue;
        written++;
        const matcher = SecretMatcher.of(['another secret', value]);
        const source = Buffer.concat([BEFORE, bytes, AFTER]);
        const whole = masked(matcher, source);
        expect(whole.length).toBe(source.length);
        expect([whole.subarray(0, BEFORE.length), whole.subarray(-AFTER.length)]).toEqual([BEFORE, AFTER]);
        expect({ value, out: whole.toString('latin1'), revealed: revealsAny(whole, value) }).toEqual({
          value,
          out: expect.any(String),
          revealed: false,
        });
        const cuts = [
          Array.from({ length: source.length }, () => 1),
          Array.from({ length: 9 }, () => 7),
          [source.length - 1],
        ];
        // Cuts at every place; without LONG_TESTS at every fourth place, with a different first place for each value.
        const step = LONG_TESTS ? 1 : 4;
        if (source.length < 300) for (let at = 1 + (written % step); at < source.length; at += step) cuts.push([at]);
        expect(cuts.filter((each) => !masked(matcher, source, each).equals(whole))).toEqual([]);
      }
      expect(written).toBeGreaterThan(3);
    },
  );

  it('is detected by the helper of these tests if it is not masked', () => {
    const unseen = WRITINGS.flatMap(({ name, write }) =>
      VALUES.flatMap((value) => {
        const bytes = write(value);
        return bytes === undefined || revealsAny(Buffer.concat([BEFORE, bytes, AFTER]), value)
          ? []
          : [`${value.slice(0, 30)} ${name}`];
      }),
    );
    expect(unseen).toEqual([]);
  });

  it('is masked byte for byte if it is not encoded, and no other byte changes', () => {
    const value = 'hunter22';
    const part = fc.constantFrom(
      'hunter22',
      'hunter2',
      'unter22',
      'hunt',
      'er22',
      'h',
      '2',
      '\\',
      '%',
      '&',
      '\n',
      '+',
      'x',
      '\\u0',
      '%6',
      '&#1',
      '\\\\',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), fc.array(fc.nat(9), { maxLength: 14 }), (parts, cuts) => {
        const source = parts.join('');
        // Skip sources in which other parts combine to an escape.
        fc.pre(!source.replaceAll(value, '').match(/%6[0-9a-f]|&#1\d|\\u0/i));
        expect(masked(SecretMatcher.of([value]), Buffer.from(source), cuts).toString()).toBe(
          source.replaceAll(value, '*'.repeat(value.length)),
        );
      }),
      { numRuns: rounds(2_000) },
    );
  });

  it('is masked in the same way wherever the source is split, with many secrets that overlap or share a prefix', () => {
    const letters = fc.constantFrom('a', 'b', '%61', '\\u0061', '&#98;', '\\', '%', 'é', '\n', ' ', '+');
    const values = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' ', '%', '\\'), minLength: 6, maxLength: 60 }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(
        values,
        fc.array(letters, { maxLength: 80 }),
        fc.array(fc.nat(12), { maxLength: 40 }),
        fc.nat(5),
        (secrets, parts, cuts, which) => {
          const source = Buffer.from(
            `${parts.join('')}${secrets[which % secrets.length]}${parts.toReversed().join('')}`,
          );
          const matcher = SecretMatcher.of(secrets);
          const whole = masked(matcher, source);
          expect(whole.length).toBe(source.length);
          expect(masked(matcher, source, cuts).equals(whole)).toBe(true);
          for (const secret of secrets)
            expect(whole.includes(secret.trim().length < 6 ? secret : secret.trim())).toBe(false);
        },
      ),
      { numRuns: rounds(1_000) },
    );
  });

  it('is masked if each character is written in a different way', () => {
    const ways: readonly ((char: string) => string)[] = [
      (char) => char,
      (char) => encodeURIComponent(char),
      (char) => [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
      (char) => `&#${char.codePointAt(0)};`,
      (char) => `&#x${char.codePointAt(0)!.toString(16)}`,
      (char) =>
        [...char]
          .map((each) =>
            Array.from(
              { length: each.length },
              (_, at) => `\\u${each.charCodeAt(at).toString(16).padStart(4, '0')}`,
            ).join(''),
          )
          .join(''),
    ];
    const value = `a"/é<🔑%41&lt;\\n`;
    fc.assert(
      fc.property(
        fc.array(fc.nat(ways.length - 1), { minLength: 20, maxLength: 20 }),
        fc.array(fc.nat(9), { maxLength: 20 }),
        (choice, cuts) => {
          // A hexadecimal number without a semicolon would include a following digit.
          const written = [...value].map((char, at) => ways[choice[at]!]!(char)).join('');
          fc.pre(!/&#x[0-9a-f]+[0-9a-f;]{0,0}(?=[0-9a-fA-F])/.test(written) || !choice.includes(4));
          const source = Buffer.from(`<${written}>`);
          expect(masked(SecretMatcher.of([value]), source, cuts).toString()).toBe(`<${'*'.repeat(source.length - 2)}>`);
        },
      ),
      { numRuns: rounds(1_000) },
    );
  });

  it('is searched for only if it has at least six characters', () => {
    for (const value of ['', 'abcde', 'ключи', '🔑🔑🔑🔑🔑', '  ab'])
      expect(SecretMatcher.of([value]).isEmpty).toBe(true);
    for (const value of ['abcdef', 'ключик', '🔑🔑🔑🔑🔑🔑', 'a b  c'])
      expect(SecretMatcher.of([value]).isEmpty).toBe(false);
  });

  it('is masked without the white space at its ends, which headers remove', () => {
    for (const value of [' hunter22\t', 'hunter22\n', '\n hunter22'])
      expect(masked(SecretMatcher.of([value]), Buffer.from('"hunter22"')).toString()).toBe('"********"');
    expect(masked(SecretMatcher.of(['  ab  ']), Buffer.from('ab|  ab  |')).toString()).toBe('ab|******|');
  });

  const LONG_KINDS: readonly (readonly [string, string])[] = [
    [
      'of many kinds',
      Array.from({ length: 65_536 }, (_, at) => String.fromCharCode(33 + ((at * 7_919 + (at >> 5)) % 90))).join(''),
    ],
    ['that are all the same', 'k'.repeat(65_536)],
    ['that repeat themselves', 'abc1'.repeat(16_384)],
  ];
  it.each(LONG_KINDS.map(([what, value], kind) => [what, value, kind] as const))(
    'of 65,536 characters %s is masked in every form, and needs less than 16 MB of memory',
    (_, value, kind) => {
      const matcher = SecretMatcher.of([value, `${value.slice(0, -1)}!`]);
      for (const [at, { name, write }] of WRITINGS.entries()) {
        // Test each encoding with one of the three values only.
        if (at % LONG_KINDS.length !== kind) continue;
        const bytes = write(value)!;
        const cuts = Array.from({ length: Math.ceil(bytes.length / 16_384) }, () => 16_384);
        const out = masked(matcher, bytes, cuts);
        const stars = out.filter((byte) => byte === 0x2a).length;
        // Some characters are not masked: base64 next to other text, and the last letters of a line.
        expect([name, out.length, stars > bytes.length - 200]).toEqual([name, bytes.length, true]);
      }
      expect(matcher.bytes).toBeLessThan(16_000_000);
    },
    60_000,
  );

  it('is not masked if only its beginning occurs, and complete lines are forwarded at once', () => {
    const matcher = SecretMatcher.of(['hunter22', 'data: x-secret', 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789']);
    const window = matcher.newWindow();
    const said = (text: string): string => window.push(Buffer.from(text)).toString();
    expect(said('data: {"n":1}\n\n')).toBe('data: {"n":1}\n\n');
    expect(said('event: a\nhun')).toBe('event: a\n');
    expect(said('ger\n\n')).toBe('hunger\n\n');
    expect(said('they end in h\n')).toBe('they end in h\n');
    expect(said('sk-proj-abcdefghijklmnopqrstuvwxyz012345678')).toBe('');
    expect(said('8')).toBe('sk-proj-abcdefghijklmnopqrstuvwxyz0123456788');
    expect(said('100%\n')).toBe('100%\n');
    expect(said('50%')).toBe('50');
    expect(window.end().toString()).toBe('%');
  });
});

import { factsOf } from './json/body-facts.js';
import { parseJsonBody } from './json-body.js';

const parsed = async (text: string): Promise<object> => parseJsonBody(Buffer.from(text));
const hadProto = (body: object): boolean => factsOf(body).hadProto;

/** The same document in two sizes: small enough to be parsed in one step, and too large for that. */
const SIZES = [
  ['small', ''],
  ['large', ' '.repeat(70_000)],
] as const;

describe.each(SIZES)('a %s JSON body', (_, padding) => {
  it.each([
    '{"a":{"__proto__":{"b":1}}}',
    '{"a":{"\\u005f_proto__":{"b":1}}}',
    '{"a":{"\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006F\\u005f\\u005f":1}}',
  ])('is parsed without members __proto__ in any spelling, and is marked if it had such a member: %s', async (text) => {
    const body = (await parsed(text + padding)) as { a: object };
    expect(Object.keys(body.a)).toEqual([]);
    expect(hadProto(body)).toBe(true);
  });

  it.each([
    ['{"a":1,"constructor":{"prototype":{"b":1}},"c":2}', '{"a":1,"c":2}'],
    ['{"__proto__":1, "a":{"__proto__":[{}],"b":1.50}}', '{ "a":{"b":1.50}}'],
  ])('has facts that contain its bytes without the members that change prototypes: %s', async (text, clean) => {
    const body = await parsed(text + padding);
    expect([body, factsOf(body).bytes?.toString()]).toEqual([JSON.parse(clean), clean + padding]);
  });

  it.each(['{"a":"__proto__"}', '{"a":"\\u005f_proto__"}', '{"proto":1}', '{}', '{"a":"ü😀\\n"}'])(
    'keeps all values and members with other names: %s',
    async (text) => {
      expect(await parsed(text + padding)).toEqual(JSON.parse(text));
      expect(hadProto(await parsed(text + padding))).toBe(false);
    },
  );

  it('may begin with a byte order mark', async () => {
    expect(await parsed(`\u{FEFF}{"a":1}${padding}`)).toEqual({ a: 1 });
  });

  it.each([
    ['an invalid number', '{"a":01}', /not valid JSON/],
    ['no closing brace', '{"a":1', /not valid JSON: (it ends too early|unexpected text)/],
    ['an unterminated string', '{"a":"', /not valid JSON: it ends too early|unexpected/],
    ['text after the closing brace', '{"a":1}{}', /not valid JSON/],
    ['a list', '[1]', /must be a JSON object/],
    ['a string', '"a"', /must be a JSON object/],
    ['null', 'null', /must be a JSON object/],
    ['nesting of 65 levels', '{"a":'.repeat(65) + '1' + '}'.repeat(65), /nested deeper than 64 levels/],
  ])('is refused with %s', async (__, text, message) => {
    await expect(async () => parsed(text.endsWith('"') ? text + padding : padding + text)).rejects.toThrow(message);
  });

  it('may be nested 64 levels deep', async () => {
    const text = '{"a":'.repeat(64) + '1' + '}'.repeat(64);
    expect(await parsed(text + padding)).toEqual(JSON.parse(text));
  });

  it('is refused if it is not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from(`"}${padding}`)]);
    await expect(async () => parseJsonBody(bytes)).rejects.toThrow('is not valid UTF-8');
  });
});

describe('the values of a JSON body', () => {
  /** The values of smaller bodies are not counted. */
  const padding = ' '.repeat(70_000);
  const MAX_VALUES = 200_000;
  /** The body has `count` + 2 values, because the body itself and its member `a` are also counted. */
  const elements = (count: number, element: string): string => `{"a":[${`${element},`.repeat(count - 1)}${element}]}`;
  const members = (count: number): string =>
    `{"a":{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(',')}}}`;

  it.each([
    ['elements', (count: number) => elements(count, '1')],
    ['empty lists', (count: number) => elements(count, '[]')],
    ['strings', (count: number) => elements(count, '"a"')],
    ['members', members],
  ])('are limited to 200000: %s', async (_, text) => {
    expect(await parsed(text(MAX_VALUES - 2))).toEqual(JSON.parse(text(MAX_VALUES - 2)));
    await expect(async () => parsed(text(MAX_VALUES - 1))).rejects.toThrow(
      'The request body holds more than 200000 values',
    );
  });

  it('are limited to 16384 objects, including the body', async () => {
    const text = elements(16_383, '{}');
    expect(await parsed(text + padding)).toEqual(JSON.parse(text));
    await expect(async () => parsed(elements(16_384, '{}') + padding)).rejects.toThrow(
      'The request body holds more than 16384 objects',
    );
  });

  it('are counted even if the text after the last allowed value is invalid', async () => {
    await expect(async () => parsed(`${elements(MAX_VALUES + 5, '1')}}}`)).rejects.toThrow(
      'holds more than 200000 values',
    );
  });

  it('are all parsed if the body has the maximum number of members', async () => {
    const wide = Array.from({ length: MAX_VALUES - 1 }, (_, index) => `"${index * 20_011}":${index}`).join(',');
    const body = await parsed(`{${wide}}`);
    expect(Object.keys(body)).toHaveLength(MAX_VALUES - 1);
    expect(factsOf(body).names!.size).toBeGreaterThan(256);
  });

  it('may be numbers of at most 16384 characters in a large body', async () => {
    const body = (digits: number): string => `{"a":"${'x'.repeat(70_000)}","b":${'1'.repeat(digits)}}`;
    expect(await parsed(body(16_384))).toMatchObject({ b: Infinity });
    await expect(async () => parsed(body(16_385))).rejects.toThrow('a number of more than 16384 characters');
  });

  it('may be objects of more than 16384 members; the facts name the members that contain one', async () => {
    const wide = (count: number): string =>
      `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',')}}`;
    expect(factsOf(await parsed(`{"a":[{"b":${wide(16_384)}}]}`)).wideMembers).toBeUndefined();
    expect(factsOf(await parsed(`{"a":[{"b":${wide(16_385)}}],"c":${wide(2)}}`)).wideMembers).toEqual(new Set(['a']));
  });
});

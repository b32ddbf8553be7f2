import { resolved, type OpenApiDocument, type Schema } from '../../support/api/openapi-document.js';

/** Valid JSON texts that no field of this API expects. */
export const HOSTILE_JSON: readonly string[] = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e300',
  '-1e300',
  '1e-30',
  '1e999',
  '9007199254740993',
  '9223372036854775808',
  '9'.repeat(400),
  '[]',
  '[[]]',
  '[null]',
  '[{}]',
  '[["\\u0000"]]',
  '{}',
  '{"":null}',
  '{"a":{"b":[]}}',
  ...[
    '',
    ' ',
    'x',
    '\0',
    'a\0b',
    '\u{1F600}',
    'x'.repeat(300),
    '\u{1F600}'.repeat(300),
    '\u007f',
    '\u2028',
    '../..',
    '%00',
    "';--",
    '-1',
    'NaN',
    '1e5',
    '0000-01-01T00:00:00Z',
    '0000-12-31',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999999Z',
    '+275760-09-13T00:00:00Z',
    '-000001-01-01T00:00:00Z',
    '2026-12-31T23:59:60Z',
    '2026-01-01T24:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+02:00',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    'a'.repeat(64),
    '0'.repeat(64),
  ].map((text) => JSON.stringify(text)),
  // A single surrogate, which JSON can express and UTF-8 cannot.
  '"\\ud800"',
  '"x\\udc00y"',
  '["\\ud800"]',
];

/** Valid texts that no query or path parameter expects, percent-encoded. */
export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  'x',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e300',
  '99999999999',
  '9007199254740993',
  '9223372036854775808',
  '9'.repeat(400),
  'null',
  'true',
  'NaN',
  '[]',
  '{}',
  '\0',
  'a\0b',
  '\u{1F600}',
  '\u007f',
  'x'.repeat(300),
  '../..',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '9999-12-31',
  '2026-02-30',
  '00000000-0000-0000-0000-000000000000',
  'a'.repeat(64),
  'gen-00000000-0000-7000-8000-000000000000',
  'file-ffffffff-ffff-ffff-ffff-ffffffffffff',
  'YWZ0ZXI6OTk5OTk5OTk5',
].map(encodeURIComponent);

/** Percent-encoded bytes that are not UTF-8. */
export const NOT_TEXT = '%C3%28';

/** A place for a value in a body: the names of members, and 0 for the first item of a list. */
export type Place = readonly (string | 0)[];

/** The members of the free-form object `provider` that the service reads. */
const PROVIDER_PLACES: readonly Place[] = [
  ['order'],
  ['only'],
  ['sort'],
  ['options'],
  ['options', 'openai'],
  ['options', 'openai', 'instructions'],
];

/** All places in a request body that its schema names, including objects and lists. */
export function placesIn(document: OpenApiDocument, schema: Schema, at: Place = []): Place[] {
  const { properties, items, allOf, oneOf } = resolved(document, schema) as {
    properties?: Record<string, Schema>;
    items?: Schema;
    allOf?: readonly Schema[];
    oneOf?: readonly Schema[];
  };
  const below = [
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => placesIn(document, member, [...at, name])),
    ...(items ? placesIn(document, items, [...at, 0]) : []),
    ...[...(allOf ?? []), ...(oneOf ?? [])].flatMap((part) => placesIn(document, part, at)),
    ...(at.length === 1 && at[0] === 'provider' ? PROVIDER_PLACES.map((place) => [...at, ...place]) : []),
  ];
  return at.length === 0 ? below : [at, ...below];
}

/** The JSON text of `body` with `json` at a place. Creates missing members on the path. */
export function bodyWith(body: unknown, place: Place, json: string): string {
  const MARK = '\u0001mark\u0001';
  const put = (into: unknown, [step, ...rest]: Place): unknown => {
    if (step === undefined) return MARK;
    if (step === 0) return [put(Array.isArray(into) ? into[0] : undefined, rest)];
    const members =
      typeof into === 'object' && into !== null && !Array.isArray(into) ? (into as Record<string, unknown>) : {};
    return { ...members, [step]: put(members[step], rest) };
  };
  return JSON.stringify(put(body, place)).replace(JSON.stringify(MARK), () => json);
}

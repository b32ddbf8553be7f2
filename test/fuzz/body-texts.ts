import { HOSTILE_BODIES, HOSTILE_VALUES } from '../support/hostile-json.js';
import { bodyWith, placesIn } from '../support/hostile-values.js';
import type { OpenApiDocument, Schema } from '../support/openapi-document.js';
import type { RandomNumbers } from '../support/random-numbers.js';
import { hostileText, type SchemaValues } from './schema-values.js';

/** Sizes of hostile values in bytes, and how often each is drawn: most are small, because a run has many of them. */
const SIZES: readonly (readonly [upTo: number, bytes: number])[] = [
  [0.7, 300],
  [0.93, 4_000],
  [0.99, 60_000],
  [0.999, 400_000],
];

/** A hostile size below a cap. Rarely the cap itself. */
export function hostileSize(random: RandomNumbers, cap: number): number {
  const drawn = random.next();
  return Math.min(SIZES.find(([upTo]) => drawn < upTo)?.[1] ?? cap, cap);
}

type Mutation = (text: BodyTexts, body: Record<string, unknown>, schema: Schema) => string;

/** Texts of bodies for one operation: valid, near-valid and hostile. */
export class BodyTexts {
  constructor(
    readonly document: OpenApiDocument,
    readonly values: SchemaValues,
    readonly random: RandomNumbers,
    private readonly cap: number,
  ) {}

  /** A body with one fault. */
  nearlyValid(body: Record<string, unknown>, schema: Schema): string {
    return this.random.pick(MUTATIONS)(this, body, schema);
  }

  /** A body that is a body of this operation in nothing but its size, if that. */
  hostile(body: Record<string, unknown>): string | Buffer {
    const { random } = this;
    // JSON.stringify of an object: its members without the braces.
    const members = JSON.stringify(body).slice(1, -1);
    const size = hostileSize(random, this.cap);
    const choice = random.int(0, 9);
    const raw = random.pick(RAW_BODIES);
    const whole = random.pick(Object.values(HOSTILE_BODIES));
    const value = random.pick(Object.values(HOSTILE_VALUES));
    if (choice < 3) return typeof raw === 'string' ? raw.replace('MEMBERS', () => members) : raw;
    if (choice < 5) return whole(size);
    if (choice < 7) return `{${members}${members === '' ? '' : ','}"unknown":${value(size)}}`;
    return bodyWith(body, [random.pick([...Object.keys(body), 'x'])], value(size));
  }
}

const anyName = ({ random, values }: BodyTexts, schema: Schema): string =>
  random.pick([...values.names(schema), 'unknown']);

const MUTATIONS: readonly Mutation[] = [
  // A value of another kind, at any place of the schema.
  ({ document, random }, body, schema) =>
    bodyWith(body, random.pick([...placesIn(document, schema), ['unknown']]), hostileText(random)),
  ({ document, random }, body, schema) =>
    bodyWith(body, random.pick([...placesIn(document, schema), ['unknown']]), hostileText(random)),
  // An end of a range, or one beyond it.
  (texts, body, schema) => {
    const name = anyName(texts, schema);
    const edges = texts.values.edgeTexts(texts.values.member(schema, name) ?? {});
    return bodyWith(body, [name], edges.length > 0 ? texts.random.pick(edges) : hostileText(texts.random));
  },
  (texts, body, schema) => {
    const { [anyName(texts, schema)]: _, ...rest } = body;
    return JSON.stringify(rest);
  },
  (texts, body, schema) => bodyWith(body, [anyName(texts, schema)], 'null'),
  (texts, body) =>
    bodyWith(
      body,
      [texts.random.pick(['unknown', '__proto__', 'constructor', 'toString', '', 'a\0b', '$ref', 'id'])],
      hostileText(texts.random),
    ),
  // The same member twice.
  (texts, body, schema) => {
    const member = `${JSON.stringify(anyName(texts, schema))}:${hostileText(texts.random)}`;
    return `${JSON.stringify(body).slice(0, -1)},${member}}`.replace('{,', '{');
  },
  // A number, a text or a list of ten thousand.
  (texts, body, schema) => {
    const long = texts.random.pick([
      '1'.repeat(10_000),
      `0.${'3'.repeat(10_000)}`,
      `1e${'9'.repeat(10_000)}`,
      `"${'x'.repeat(10_000)}"`,
      `[${'1,'.repeat(9_999)}1]`,
    ]);
    return bodyWith(body, [anyName(texts, schema)], long);
  },
];

/** `MEMBERS` stands for the members of a good body. */
const RAW_BODIES: readonly (string | Buffer)[] = [
  '',
  ' ',
  'null',
  'true',
  '0',
  '"x"',
  '[]',
  '[{}]',
  '[{MEMBERS}]',
  '{',
  '{MEMBERS',
  '{MEMBERS}}',
  '{MEMBERS},',
  '{MEMBERS}{MEMBERS}',
  '\ufeff{MEMBERS}',
  '{MEMBERS} \0',
  "{'a':1}",
  '{a:1}',
  '{"a":NaN}',
  '{"a":undefined}',
  '{"a":01}',
  '{"a":"\t"}',
  '{"a":"\\x"}',
  '{"a":"\\ud800"}',
  '// comment\n{}',
  '{"a":1,}',
  'a=1&b=2',
  '<a/>',
  '{"a":"\\u000',
  Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Buffer.from('7b2261223a22c328227d', 'hex'),
  Buffer.from('7b2261223a22eda080227d', 'hex'),
  Buffer.alloc(50),
  Buffer.from('1f8b0800', 'hex'),
];

import { CHAT_MODELS } from '../../support/calls/chat-models.js';
import type { OpenApiDocument, Schema } from '../../support/api/openapi-document.js';
import type { RandomNumbers } from '../../support/random-numbers.js';
import { HOSTILE_CHATS, LARGE_CHATS, streamed } from './hostile-chats.js';
import { HOSTILE_FILES } from './hostile-files.js';
import { HOSTILE_BODIES, HOSTILE_VALUES } from './hostile-json.js';
import { hostileSize } from './hostile-size.js';
import { bodyWith, placesIn } from './hostile-values.js';
import { hostileText, type SchemaValues } from './schema-values.js';
import { VENDOR_BODIES, VENDOR_VALUES } from '../vendor-bodies.js';

type Mutation = (text: BodyTexts, body: Record<string, unknown>, schema: Schema) => string;

/** Generates bodies for one operation: valid, nearly valid and hostile. */
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

  /** A hostile body of a random size: made for this route, malformed, or a valid body with a hostile value. */
  hostile(body: Record<string, unknown>, schema: Schema, path: string): string | Buffer {
    const { random } = this;
    const size = hostileSize(random, this.cap);
    const own = random.chance(0.25) ? this.#hostileOf(path, size) : undefined;
    if (own !== undefined) return own;
    // The text of the members, without the braces of the object.
    const members = JSON.stringify(body).slice(1, -1);
    const choice = random.int(0, 10);
    const raw = random.pick(RAW_BODIES);
    const whole = random.pick(Object.values(HOSTILE_BODIES));
    const value = random.pick(Object.values(HOSTILE_VALUES));
    if (choice < 3) return typeof raw === 'string' ? raw.replace('MEMBERS', () => members) : raw;
    if (choice < 5) return whole(size);
    if (choice < 7) return `{${members}${members === '' ? '' : ','}"unknown":${value(size)}}`;
    if (choice < 8) return withMembers(body, random.pick(WIDE_VALUES)(size));
    const json = random.chance(0.25) ? `[${value(size)}]` : value(size);
    return bodyWith(body, random.pick([...placesIn(this.document, schema), ['x']]), json);
  }

  /** A hostile body that is made for this route. Undefined if none is known. */
  #hostileOf(path: string, size: number): string | Buffer | undefined {
    const { random } = this;
    if (path.endsWith('/interns/{id}/chat/completions'))
      return longTalk(random.pick(Object.values(HOSTILE_FILES)), Math.min(size, this.cap));
    if (path === '/api/v1/chat/completions' && random.chance(0.8)) {
      const model = random.pick(Object.values(CHAT_MODELS));
      const isLarge = random.chance(0.2);
      const made = isLarge
        ? random.pick(Object.values(LARGE_CHATS))(model, size)
        : random.pick(Object.values(HOSTILE_CHATS).flat()).body(model);
      return random.chance(0.5) ? streamed(made) : made;
    }
    const known = VENDOR_BODIES[path];
    if (!known) return undefined;
    const [body, places] = known;
    return bodyWith(body, random.pick(places), random.pick(Object.values(VENDOR_VALUES))(size));
  }
}

/** Generators of objects with very many members. */
const WIDE_VALUES = Object.entries(HOSTILE_VALUES)
  .filter(([name]) => /wide|again/.test(name))
  .map(([, make]) => make);

/** The JSON text of `body`, followed by the members of the object `json`. */
export const withMembers = (body: object, json: string): string =>
  `{${JSON.stringify(body).slice(1, -1)},${json.slice(1)}`.replace('{,', '{');

const MAX_MESSAGE_CHARACTERS = 32_000;

/** A conversation with an intern of about `size` bytes: a long message, then a message that repeats `unit`. */
export function longTalk(unit: string, size: number): string {
  const last = `x${unit.repeat(MAX_MESSAGE_CHARACTERS)}`.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed();
  const rest = Math.max(1, size - 2_000 - Buffer.byteLength(JSON.stringify(last)));
  const messages = ['a'.repeat(rest), last].map((content) => ({ role: 'user', content }));
  return JSON.stringify({ stream: true, messages });
}

const anyName = ({ random, values }: BodyTexts, schema: Schema): string =>
  random.pick([...values.names(schema), 'unknown']);

const MUTATIONS: readonly Mutation[] = [
  // A value of another type, at any place of the schema.
  ({ document, random }, body, schema) =>
    bodyWith(body, random.pick([...placesIn(document, schema), ['unknown']]), hostileText(random)),
  ({ document, random }, body, schema) =>
    bodyWith(body, random.pick([...placesIn(document, schema), ['unknown']]), hostileText(random)),
  // A value at the bound of a range, or just beyond the bound.
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
  // A number, text or list with a length of ten thousand.
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

/** `MEMBERS` is a placeholder for the members of a valid body. */
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

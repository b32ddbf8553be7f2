import { encodeForm } from '../../../src/providers/wire/multipart-form.js';
import { HOSTILE_FORMS, GOOD_FORM, FORMS_WITH_EXTRA_PARTS } from '../../support/hostile/hostile-forms.js';
import { hostileSize } from './hostile-size.js';
import { HOSTILE_FILES } from './hostile-files.js';
import { hostileQueries } from './hostile-json.js';
import { HOSTILE_TEXTS, NOT_TEXT } from './hostile-values.js';
import { PIXEL } from '../../support/vendors/scripted-vendor.js';
import type { RandomNumbers } from '../../support/random-numbers.js';
import type { Schema } from '../../support/api/openapi-document.js';
import type { ThingKind } from './fuzz-request.js';
import type { SchemaValues } from './schema-values.js';

/** The maximum size of a hostile form. The tests of uploads cover larger forms. */
const MAX_FORM_BYTES = 400_000;
const MAX_FILE_BYTES = 20_000_000;

const SMALL_FORMS = HOSTILE_FORMS.filter(({ body }) => body.length <= MAX_FORM_BYTES);

export interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

/** The kind of a path parameter, by the path before it. */
const KINDS: readonly (readonly [before: RegExp, kind: ThingKind])[] = [
  [/\/keys\/$/, 'key'],
  [/\/interns\/$/, 'intern'],
  [/\/sessions\/$/, 'session'],
  [/\/secrets\/$/, 'secret'],
  [/\/files\/$/, 'file'],
  [/\/workspaces\/$/, 'workspace'],
  [/\/byok\/$/, 'credential'],
  [/\/webhooks\/$/, 'webhook'],
  [/\/deliveries\/$/, 'delivery'],
  [/\/end-users\/$/, 'end user'],
  [/\/generations\/$/, 'generation'],
];

/** Replaces single surrogates, because they cannot be encoded in UTF-8. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd'));

export const kindOfParameter = (before: string): ThingKind | undefined =>
  KINDS.find(([pattern]) => pattern.test(before))?.[1];

/** A percent-encoded hostile text for a path parameter. It may be an id of the run with one character changed. */
export function hostileSegment(random: RandomNumbers, id: string): string {
  const changed = random.pick([
    id.toUpperCase(),
    id.slice(0, -1),
    `${id}0`,
    id.replace(/[0-9a-f]/, 'f'),
    ` ${id}`,
    `${id}\0`,
    `${id}/`,
    id.replaceAll('-', ''),
  ]);
  return random.pick([percentEncoded(changed), random.pick(HOSTILE_TEXTS), NOT_TEXT, '%zz', '%', '%2e%2e', '.x']);
}

/** A query of documented parameters. Most values are valid and some are hostile; rarely the whole query is hostile. */
export function queryOf(
  random: RandomNumbers,
  values: SchemaValues,
  parameters: readonly DocumentedParameter[],
): string {
  const names = parameters.map(({ name }) => name);
  if (random.chance(0.03)) return `?${random.pick(Object.values(hostileQueries(names)))}`;
  // A route with thirty parameters gets about as many of them as a route with three.
  const share = Math.min(0.35, 2 / Math.max(1, names.length));
  const pairs = parameters
    .filter(() => random.chance(share))
    .map(({ name, schema }) => {
      const value = random.chance(0.25)
        ? oddText(random, values, schema)
        : percentEncoded(plain(values.valid(schema, name)));
      return `${name}=${value}`;
    });
  if (random.chance(0.05))
    pairs.push(
      random.pick([
        'unknown=1',
        'constructor=1',
        '__proto__[a]=1',
        ...pairs,
        ...names.flatMap((name) => [`${name}[]=1`, `${name}=1&${name}=2&${name}[x]=3`]),
        ...names,
      ]),
    );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

function oddText(random: RandomNumbers, values: SchemaValues, schema: Schema): string {
  const edges = values.edgeTexts(schema).map((text) => percentEncoded(text.replace(/^"(.*)"$/s, '$1')).slice(0, 2_000));
  return random.pick([...edges, random.pick(HOSTILE_TEXTS), NOT_TEXT, '%zz']);
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Starts like the boundaries of undici and of browsers. */
const BOUNDARY = '----formdata-undici-012345678901';

/** A form with one file of `bytes` bytes, which repeats `unit`. */
export function fileOf(
  unit: string,
  bytes: number,
): { readonly body: Buffer; readonly headers: Record<string, string> } {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="file.txt"\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, unit), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

/** An upload: valid, malformed, or with a content type other than a form. */
export function uploadOf(random: RandomNumbers): {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
} {
  if (random.chance(0.4)) return { body: GOOD_FORM.body, headers: { 'content-type': GOOD_FORM.contentType } };
  if (random.chance(0.2)) return fileOf(random.pick(Object.values(HOSTILE_FILES)), hostileSize(random, MAX_FILE_BYTES));
  if (random.chance(0.3))
    return { body: random.pick(FORMS_WITH_EXTRA_PARTS)[1], headers: { 'content-type': GOOD_FORM.contentType } };
  const { body, contentType, headers } = random.pick(SMALL_FORMS);
  return { body, headers: { ...(contentType === null ? {} : { 'content-type': contentType }), ...headers } };
}

/** A form that edits images: the members of its schema as text, and up to three pictures. */
export function editOf(random: RandomNumbers, members: Readonly<Record<string, unknown>>): ReturnType<typeof uploadOf> {
  const fields = Object.entries(members).filter(([name]) => name !== 'image');
  const picture = {
    name: random.pick(['image', 'image[]', 'mask']),
    fileName: 'a.png',
    mediaType: 'image/png',
    bytes: Buffer.from(PIXEL, 'base64'),
  };
  const { body, contentType } = encodeForm(
    fields.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const),
    Array.from({ length: random.int(0, 3) }, () => picture),
  );
  return { body, headers: { 'content-type': contentType } };
}

/** Usually the content type of JSON; sometimes another one, or a content encoding. */
export function contentTypeOf(random: RandomNumbers): Readonly<Record<string, string>> {
  if (random.chance(0.93)) return { 'content-type': 'application/json' };
  const type = random.pick([
    undefined,
    '',
    'text/plain',
    'application/json; charset=utf-8',
    'application/json; charset=latin1',
    'application/problem+json',
    'APPLICATION/JSON',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application',
    'application/json, text/plain',
    '*/*',
  ]);
  return {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(random.chance(0.3) ? { 'content-encoding': random.pick(['gzip', 'br', 'identity', 'zstd', 'x']) } : {}),
  };
}

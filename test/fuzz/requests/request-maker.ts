import { type OpenApiDocument, resolved, routesOf, type DocumentedRoute } from '../../support/api/openapi-document.js';
import { RandomNumbers } from '../../support/random-numbers.js';
import { capOf, MEMBERS_BYTES } from './body-caps.js';
import { BodyTexts } from './body-texts.js';
import type { FuzzKey, FuzzRequest, Thing, ThingKind } from './fuzz-request.js';
import type { KeyRing } from '../key-ring.js';
import type { KnownThings } from '../known-things.js';
import {
  contentTypeOf,
  editOf,
  hostileSegment,
  kindOfParameter,
  percentEncoded,
  queryOf,
  uploadOf,
  type DocumentedParameter,
} from './request-parts.js';
import { SchemaValues } from './schema-values.js';
import { suggestionsFor } from './suggestions.js';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const UNKNOWN_PATHS = [
  '/api/v1',
  '/api/v1/',
  '/api/v1/nothing',
  '/api/v1/keys/a/b',
  '/api/v2/keys',
  '/api/v1/interns/x/y/z',
  '/nothing',
  '/api/v1//keys',
  '/api/v1/%zz',
  '/api/v1/Keys%20',
];
/** Routes that create resources for later requests. */
const MAKERS = ['keys', 'interns', 'files', 'workspaces', 'byok', 'webhooks', 'end-users', 'images', 'audio/speech'];
const TEXT = ['chat/completions', 'completions', 'messages', 'responses', 'embeddings'];
const MAKES = new RegExp(`^post /api/v1/(${[...MAKERS, ...TEXT, 'rerank', 'audio/transcriptions'].join('|')})$|^put /`);

type Json = Readonly<Record<string, unknown>>;

/**
 * Generates the requests of one worker. The random choices depend only on the seed. The ids come from earlier
 * responses.
 */
export class RequestMaker {
  readonly #random: RandomNumbers;
  readonly #routes: readonly DocumentedRoute[];

  constructor(
    private readonly document: OpenApiDocument,
    seed: number,
    private readonly keys: KeyRing,
    private readonly known: KnownThings,
  ) {
    this.#random = new RandomNumbers(seed);
    // Routes that create resources occur three times, so they are drawn three times as often.
    this.#routes = routesOf(document).flatMap((route) =>
      MAKES.test(`${route.method} ${route.path}`) ? [route, route, route] : [route],
    );
  }

  make(index: number): FuzzRequest {
    // Each request has its own source of random numbers, so that the number of draws does not affect later requests.
    const random = new RandomNumbers(Math.floor(this.#random.next() * 4_294_967_296));
    const route = random.pick(this.#routes);
    const key = this.keys.pick(random, route, this.known);
    if (random.chance(0.015)) return this.#astray(index, random, key, route);
    const values = new SchemaValues(this.document, random, suggestionsFor(random, this.known, key));
    const parameters = parametersOf(this.document, route);
    const { path, named } = this.#pathOf(random, route, key);
    const query = queryOf(
      random,
      values,
      parameters.filter((parameter) => parameter.in === 'query'),
    );
    const headers = this.#headersOf(random, key, parameters);
    const sent = this.#bodyOf(random, route, values);
    const leaves = /^post .*\/(images|audio|chat)/.test(`${route.method} ${route.path}`) && random.chance(0.01);
    return {
      index,
      method: route.method.toUpperCase(),
      path: path + query,
      key,
      headers: { ...headers, ...sent.headers },
      body: sent.body,
      named,
      leaves,
    };
  }

  /** A request with a path or a method that no route has. */
  #astray(index: number, random: RandomNumbers, key: FuzzKey, route: DocumentedRoute): FuzzRequest {
    const isPath = random.chance(0.5);
    const path = isPath ? random.pick(UNKNOWN_PATHS) : route.path.replaceAll(/\{[^}]+\}/g, 'x');
    const method = isPath
      ? random.pick(METHODS)
      : random.pick(METHODS.filter((name) => name !== route.method.toUpperCase()));
    return {
      index,
      method,
      path,
      key,
      headers: this.#headersOf(random, key, []),
      body: undefined,
      named: [],
      leaves: false,
    };
  }

  #pathOf(random: RandomNumbers, route: DocumentedRoute, key: FuzzKey): { path: string; named: Thing[] } {
    const named: Thing[] = [];
    const path = route.path.replaceAll(/\{([^}]+)\}/g, (_, name: string, at: number) => {
      const kind = kindOfParameter(route.path.slice(0, at));
      const thing = kind && this.known.pick(random, this.#internOf(random, route, key, kind), key.account);
      const id =
        thing?.id ??
        (name === 'author'
          ? random.pick(['builtin', 'openai', 'x'])
          : name === 'slug'
            ? random.pick(['poster', 'flite', 'gpt-image-1'])
            : 'a1');
      if (random.chance(0.12)) return hostileSegment(random, id);
      if (thing) named.push(thing);
      return percentEncoded(id);
    });
    return { path, named };
  }

  /**
   * The kind of intern for an id. The interns of the stage are separate kinds, because other interns are suspended and
   * deleted.
   */
  #internOf(random: RandomNumbers, { path }: DocumentedRoute, key: FuzzKey, kind: ThingKind): ThingKind {
    if (kind !== 'intern') return kind;
    if (/\/(chat|sessions)\b/.test(path) && random.chance(0.8)) return 'running intern';
    return key.column === "intern's own" && random.chance(0.6) ? 'own intern' : kind;
  }

  #headersOf(random: RandomNumbers, key: FuzzKey, parameters: readonly DocumentedParameter[]): Record<string, string> {
    const has = (name: string): boolean =>
      parameters.some((parameter) => parameter.in === 'header' && parameter.name.toLowerCase() === name);
    const headers: Record<string, string> = key.header === undefined ? {} : { authorization: key.header };
    if (has('idempotency-key') && random.chance(0.4)) {
      const again = this.known.pick(random, 'idempotency key', key.account)?.id;
      const value = random.pick([
        '',
        'x'.repeat(255),
        'x'.repeat(256),
        '\u00e9',
        'a b',
        ...Array.from({ length: 6 }, () => (again && random.chance(0.3) ? again : `once-${random.int(0, 1e9)}`)),
      ]);
      headers['idempotency-key'] = value;
    }
    if (has('if-none-match') && random.chance(0.2)) {
      headers['if-none-match'] = random.pick([
        this.known.pick(random, 'etag', key.account)?.id ?? '"x"',
        '*',
        '"x"',
        'W/"x", "y"',
        'x',
        ',',
        '"'.repeat(500),
      ]);
    }
    return headers;
  }

  #bodyOf(
    random: RandomNumbers,
    route: DocumentedRoute,
    values: SchemaValues,
  ): { body: string | Buffer | undefined; headers: Readonly<Record<string, string>> } {
    if (route.path.endsWith('/images/edits') && random.chance(0.6)) {
      const { schema } = route.operation.requestBody!.content['multipart/form-data']!;
      return editOf(random, cheap(route, values.valid(schema!) as Record<string, unknown>));
    }
    const content = route.operation.requestBody?.content;
    const media = content?.['application/json'];
    if (content?.['multipart/form-data'] && (!media || random.chance(0.3))) return uploadOf(random);
    if (!media)
      return random.chance(0.03)
        ? { body: random.pick(['{}', 'x', '{"a":1}']), headers: { 'content-type': 'application/json' } }
        : { body: undefined, headers: {} };
    if (random.chance(0.02)) return { body: undefined, headers: {} };
    const schema = media.schema!;
    const examples = Object.values(media.examples ?? {}).map((example) => example.value as Json);
    const made = values.valid(schema) as Json;
    const body = cheap(
      route,
      examples.length > 0 && random.chance(0.3)
        ? { ...random.pick(examples), ...(random.chance(0.5) ? made : {}) }
        : { ...made },
    );
    const texts = new BodyTexts(this.document, values, random, capOf(route.path) - MEMBERS_BYTES);
    const choice = random.next();
    const text =
      choice < 0.5
        ? JSON.stringify(body)
        : choice < 0.85
          ? texts.nearlyValid(body, schema)
          : texts.hostile(body, schema, route.path);
    return { body: text, headers: contentTypeOf(random) };
  }
}

/** Sets a small size: the built-in model takes processor time per pixel, and the run tests requests, not pictures. */
function cheap(route: DocumentedRoute, body: Record<string, unknown>): Record<string, unknown> {
  if (
    !route.path.includes('/images') ||
    body['model'] !== 'builtin/poster' ||
    'size' in body ||
    'resolution' in body ||
    'aspect_ratio' in body
  )
    return body;
  return { ...body, size: '64x64' };
}

const parametersOf = (document: OpenApiDocument, { operation }: DocumentedRoute): DocumentedParameter[] =>
  ((operation as { parameters?: readonly DocumentedParameter[] }).parameters ?? []).map((given) =>
    resolved(document, given),
  );

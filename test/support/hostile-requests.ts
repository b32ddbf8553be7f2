import { HOSTILE_BODIES, HOSTILE_VALUES, hostileQueries, many, MAX_OBJECTS } from './hostile-json.js';
import { resolved, routesOf, type DocumentedRoute, type OpenApiDocument, type Schema } from './openapi-document.js';

export interface HostileRequest {
  readonly name: string;
  readonly route: DocumentedRoute;
  /** Below the origin, its parameters filled in. */
  readonly path: string;
  /** Made when it is sent: there are gigabytes of them. */
  readonly body: (() => string) | undefined;
  /** At the root of a body, in a member that no route knows, or in a query. */
  readonly isBasic: boolean;
  /** Whether it is to reach a vendor: by a key that can pay. */
  readonly isPaid?: boolean;
}

const MIB = 1_048_576;
/** What a value may leave to the members around it. */
const REST = 2_000;

/** Bodies of the inference routes that lead to a vendor call, and the members that are passed to it completely. */
const VENDOR_BODIES: Readonly<Record<string, readonly [body: object, places: readonly Place[]]>> = {
  '/api/v1/images': [
    { model: 'openai/gpt-image-1', prompt: 'x' },
    [['prompt'], ['provider', 'options', 'openai', 'moderation'], ['input_references', 0, 'image_url', 'url']],
  ],
  '/api/v1/audio/speech': [
    { model: 'openai/gpt-4o-mini-tts', input: 'x', voice: 'alloy' },
    [['input'], ['voice'], ['provider', 'options', 'openai', 'instructions']],
  ],
  '/api/v1/chat/completions': [
    { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'x' }], max_tokens: 10 },
    [
      ['messages', 0, 'content'],
      ['messages', 0, 'content', 0, 'text'],
      ['messages', 0, 'name'],
      ['tools', 0, 'function', 'parameters'],
      ['response_format', 'json_schema', 'schema'],
      ['prediction'],
    ],
  ],
  '/api/v1/messages': [
    { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'x' }], max_tokens: 16 },
    [
      ['messages', 0, 'content'],
      ['messages', 0, 'content', 0, 'text'],
      ['system'],
      ['tools', 0, 'input_schema'],
      ['thinking'],
      ['output_config', 'format', 'schema'],
    ],
  ],
  '/api/v1/responses': [
    { model: 'openai/gpt-4o-mini', input: [{ role: 'user', content: 'x' }], max_output_tokens: 16 },
    [
      ['input', 0, 'content'],
      ['input', 0, 'content', 0, 'text'],
      ['instructions'],
      ['tools', 0, 'parameters'],
      ['text', 'format', 'schema'],
      ['reasoning'],
    ],
  ],
  '/api/v1/embeddings': [
    { model: 'openai/text-embedding-3-small', input: 'x' },
    [['input'], ['input', 0], ['input_type']],
  ],
  '/api/v1/completions': [
    { model: 'builtin/eliza', prompt: 'x', max_tokens: 10 },
    [['prompt'], ['prompt', 0], ['suffix'], ['logit_bias']],
  ],
  '/api/v1/rerank': [
    { model: 'cohere/rerank-v4-pro', query: 'x', documents: ['x'] },
    [['query'], ['documents', 0], ['documents', 0, 'text']],
  ],
  '/api/v1/audio/transcriptions': [
    { model: 'openai/whisper-1', input_audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' } },
    [['language'], ['input_audio', 'data']],
  ],
};

/** Routes of large bodies. */
export const LARGE = /^\/api\/v1\/(images|chat|messages|responses|completions|embeddings|rerank)/;

/** The cap of a route's body in bytes. */
export const capOf = (path: string): number =>
  LARGE.test(path) ? 25 * MIB : path.startsWith('/api/v1/vault') ? 425_000 : MIB;

/**
 * Hostile bodies and queries for every route of a document: at the root, in a member that no route knows, and in every
 * documented member.
 */
export function* hostileRequests(
  document: OpenApiDocument,
  idsOf: (route: DocumentedRoute) => Readonly<Record<string, string>>,
): Generator<HostileRequest> {
  for (const route of routesOf(document)) {
    const ids = idsOf(route);
    const path = route.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => ids[name] ?? 'x');
    const names = queryOf(document, route);
    if (names.length > 0)
      for (const [name, query] of Object.entries(hostileQueries(names)))
        yield {
          name: `${route.method} ${route.path}?${name}`,
          route,
          path: `${path}?${query}`,
          body: undefined,
          isBasic: true,
        };
    const media = route.operation.requestBody?.content['application/json'];
    if (media) yield* vendorBodies(route, path);
    if (media)
      yield* hostileBodies(
        document,
        route,
        path,
        resolved(document, media.schema!),
        Object.values(media.examples ?? {})[0]?.value as object,
      );
  }
}

function* hostileBodies(
  document: OpenApiDocument,
  route: DocumentedRoute,
  path: string,
  schema: Schema,
  example: object,
): Generator<HostileRequest> {
  const size = capOf(path) - REST;
  const at = (where: string): string => `${route.method} ${route.path}: ${where}`;
  for (const [name, make] of Object.entries(HOSTILE_BODIES))
    yield { name: at(name), route, path, body: () => make(size), isBasic: true };
  for (const [name, make] of Object.entries(HOSTILE_VALUES)) {
    yield {
      name: at(`${name} in a member that is not known`),
      route,
      path,
      body: () => withMember(example, ['unknown'], make(size)),
      isBasic: true,
    };
    if (/wide|again/.test(name))
      yield {
        name: at(`${name} as the body, with its members`),
        route,
        path,
        body: () => `{${JSON.stringify(example).slice(1, -1)},${make(size).slice(1)}`.replace('{,', '{'),
        isBasic: true,
      };
    for (const place of placesIn(document, schema)) {
      yield {
        name: at(`${name} in ${place.join('.')}`),
        route,
        path,
        body: () => withMember(example, place, make(size)),
        isBasic: false,
      };
      yield {
        name: at(`${name} in ${place.join('.')}, in a list`),
        route,
        path,
        body: () => withMember(example, place, `[${make(size)}]`),
        isBasic: false,
      };
    }
  }
}

/** Text and values that a vendor gets; a picture that is one by its first bytes. */
function* vendorBodies(route: DocumentedRoute, path: string): Generator<HostileRequest> {
  const [body, places] = VENDOR_BODIES[route.path] ?? [{}, []];
  const size = capOf(path) - REST;
  for (const place of places) {
    for (const [name, make] of Object.entries(VENDOR_VALUES)) {
      yield {
        name: `${route.method} ${route.path}, to a vendor: ${name} in ${place.join('.')}`,
        route,
        path,
        body: () => withMember(body, place, make(size)),
        isBasic: true,
        isPaid: true,
      };
    }
  }
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');
const VENDOR_VALUES: Readonly<Record<string, (size: number) => string>> = {
  ...HOSTILE_VALUES,
  'a list of parts of text, each of another shape': (size) =>
    `[${many(size, (index) => `{"type":"text","text":"x","k${index}":1}`, MAX_OBJECTS)}]`,
  'a picture': (size) =>
    `"data:image/png;base64,${Buffer.concat([PNG, Buffer.alloc(Math.floor(size * 0.74))]).toString('base64')}"`,
};

type Place = readonly (string | number)[];

/** The paths to all members that a schema documents, its lists' first elements included. */
function placesIn(document: OpenApiDocument, schema: Schema, before: Place = []): Place[] {
  return Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(([name, given]) => {
    const place = [...before, name];
    const member = resolved(document, given);
    const all = (member['allOf'] as Schema[] | undefined)?.[0];
    const below = all ? resolved(document, all) : member;
    const items = below['items'] ? resolved(document, below['items'] as Schema) : undefined;
    // Of a free-form object those members that are read.
    const free =
      name === 'provider'
        ? ['order', 'only', 'sort', 'options']
            .map((inside) => [...place, inside])
            .concat([
              [...place, 'options', 'openai', 'instructions'],
              [...place, 'options', 'openai'],
            ])
        : [];
    return [
      place,
      ...free,
      ...(items ? [[...place, 0], ...placesIn(document, items, [...place, 0])] : []),
      ...placesIn(document, below, place),
    ];
  });
}

const MARK = 'the hostile value';

/** The text of an example with one member replaced by a text. */
function withMember(example: object, place: Place, text: string): string {
  const copy = structuredClone(example) as Record<string | number, unknown>;
  let at = copy;
  place.forEach((step, index) => {
    const next = place[index + 1];
    if (next === undefined) at[step] = MARK;
    else {
      const known = at[step];
      const isFit = typeof known === 'object' && known !== null && Array.isArray(known) === (typeof next === 'number');
      at[step] = isFit ? known : typeof next === 'number' ? [] : {};
      at = at[step] as Record<string | number, unknown>;
    }
  });
  const [before = '', after = ''] = JSON.stringify(copy).split(JSON.stringify(MARK));
  return before + text + after;
}

const queryOf = (document: OpenApiDocument, { operation }: DocumentedRoute): string[] =>
  ((operation as { parameters?: readonly { readonly name: string; readonly in: string }[] }).parameters ?? [])
    .map((given) => resolved(document, given))
    .filter((given) => given.in === 'query')
    .map(({ name }) => name);

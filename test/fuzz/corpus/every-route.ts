import { resolved, routesOf, type DocumentedRoute, type OpenApiDocument } from '../../support/api/openapi-document.js';
import { withMembers } from '../requests/body-texts.js';
import { capOf, MEMBERS_BYTES } from '../requests/body-caps.js';
import { HOSTILE_BODIES, HOSTILE_VALUES, hostileQueries } from '../requests/hostile-json.js';
import { bodyWith, HOSTILE_JSON, HOSTILE_TEXTS, NOT_TEXT, placesIn } from '../requests/hostile-values.js';
import { VENDOR_BODIES, VENDOR_VALUES } from '../vendor-bodies.js';
import { inTurn, type KeptRequest } from './kept-request.js';

/** At this size, work of quadratic cost takes far longer than the limit for a stall. */
const MAX_BYTES = 400_000;
const MAX_MEMBER_BYTES = 100_000;
const QUERIES_OF_A_ROUTE = 7;

/**
 * Valid bodies that create a resource only once. They replace the document's examples, which may create a resource for
 * each request.
 */
const BASES: Readonly<Record<string, object>> = {
  'post /api/v1/interns': { name: 'kept' },
  'post /api/v1/end-users': { user: 'x' },
  'post /api/v1/workspaces': { name: 'x', slug: 'x' },
};

const to = ({ method, path }: DocumentedRoute): { method: string; path: string } => ({
  method: method.toUpperCase(),
  path,
});
const bodyOf = ({ method, path, operation }: DocumentedRoute): object | undefined => {
  const media = operation.requestBody?.content['application/json'];
  if (!media) return undefined;
  return BASES[`${method} ${path}`] ?? (Object.values(media.examples ?? {})[0]?.value as object | undefined) ?? {};
};

/** Queries that are long, wide, nested, repeated or broken. */
export function* queriesOfEveryRoute(document: OpenApiDocument): Generator<KeptRequest> {
  const texts = inTurn([...HOSTILE_TEXTS, NOT_TEXT, '%zz']);
  const kinds = inTurn(Object.keys(hostileQueries(['a'])));
  for (const route of routesOf(document)) {
    const names = queryNamesOf(document, route);
    if (names.length === 0) continue;
    const queries = [
      ...kinds(QUERIES_OF_A_ROUTE).map((kind) => [kind, hostileQueries(names)[kind]!] as const),
      ...names.flatMap((name) => [
        [`${name} three times and as an object`, `${name}=1&${name}=2&${name}[x]=3`] as const,
        ...texts(2).map((text) => [`${name} = ${text}`, `${name}=${text}`] as const),
      ]),
    ];
    for (const [name, query] of queries) {
      const { method, path } = to(route);
      yield { name: `${method} ${path}?${name.slice(0, 60)}`, method, path: `${path}?${query}` };
    }
  }
}

const queryNamesOf = (document: OpenApiDocument, { operation }: DocumentedRoute): string[] =>
  ((operation as { parameters?: readonly { readonly name: string; readonly in: string }[] }).parameters ?? [])
    .map((given) => resolved(document, given))
    .filter((given) => given.in === 'query')
    .map(({ name }) => name);

/** Texts in place of each path parameter. */
export function* pathsOfEveryRoute(document: OpenApiDocument): Generator<KeptRequest> {
  const texts = inTurn(HOSTILE_TEXTS.filter((text) => text !== ''));
  for (const route of routesOf(document)) {
    const { method, path } = to(route);
    const body = bodyOf(route);
    for (const [parameter] of path.matchAll(/\{[^}]+\}/g))
      for (const text of [...texts(4), NOT_TEXT, '%zz'])
        yield {
          name: `${method} ${path}: ${parameter} = ${text.slice(0, 60)}`,
          method,
          path: path.replace(parameter, text),
          ...(body && { body: () => JSON.stringify(body) }),
        };
  }
}

/** A value of another type in each documented member. */
export function* membersOfEveryRoute(document: OpenApiDocument): Generator<KeptRequest> {
  const small = inTurn(HOSTILE_JSON);
  const large = inTurn(Object.entries(HOSTILE_VALUES));
  for (const route of routesOf(document)) {
    const body = bodyOf(route);
    const schema = route.operation.requestBody?.content['application/json']?.schema;
    if (!body || !schema) continue;
    for (const place of placesIn(document, schema)) {
      const at = `${route.method.toUpperCase()} ${route.path}: ${place.join('.')} =`;
      for (const json of small(1))
        yield { ...to(route), name: `${at} ${json.slice(0, 60)}`, body: () => bodyWith(body, place, json) };
      if (place.length > 1) continue;
      const [[name, make] = ['', String] as const] = large(1);
      yield { ...to(route), name: `${at} ${name}`, body: () => bodyWith(body, place, make(MAX_MEMBER_BYTES)) };
    }
  }
}

/**
 * Values whose structure has blocked the event loop: a wide object (for 7.8 s), many different shapes, many objects.
 */
const COSTLY = {
  ...HOSTILE_VALUES,
  ...Object.fromEntries(Object.entries(HOSTILE_BODIES).map(([name, make]) => [`the body: ${name}`, make])),
} as const;
const FIRST = ['a wide object', 'a list of objects, each of another shape'] as const;
const WIDE = ['a wide object with numbers for names', 'one name with objects again and again'] as const;

/** Bodies of 400 KB: a costly value as the whole body, next to the documented members, or in an unknown member. */
export function* bodiesOfEveryRoute(document: OpenApiDocument): Generator<KeptRequest> {
  const others = inTurn(Object.keys(COSTLY));
  const wides = inTurn(WIDE);
  for (const route of routesOf(document)) {
    const body = bodyOf(route);
    if (!body) continue;
    const size = Math.min(capOf(route.path), MAX_BYTES) - MEMBERS_BYTES;
    const at = `${route.method.toUpperCase()} ${route.path}:`;
    for (const name of [...FIRST, ...others(1)])
      yield {
        ...to(route),
        name: `${at} ${name}`,
        body: () => {
          const made = valueOf(name, size);
          return name.startsWith('the body') ? made : bodyWith(body, ['unknown'], made);
        },
      };
    const [wide] = wides(1);
    yield {
      ...to(route),
      name: `${at} ${wide} next to its members`,
      body: () => withMembers(body, valueOf(wide!, size)),
    };
  }
}

/** Most routes have the same size limit, so each text is generated only once per size. */
const made = new Map<string, string>();
function valueOf(name: string, size: number): string {
  const key = `${name} ${size}`;
  if (!made.has(key)) made.set(key, COSTLY[name]!(size));
  return made.get(key)!;
}

/** Costly values in the members that are sent to a vendor. */
export function* bodiesToVendors(): Generator<KeptRequest> {
  const values = inTurn(Object.entries(VENDOR_VALUES));
  for (const [path, [body, places]] of Object.entries(VENDOR_BODIES))
    for (const place of places)
      for (const [name, make] of values(3))
        yield {
          name: `POST ${path}, to a vendor: ${name} in ${place.join('.')}`,
          method: 'POST',
          path,
          body: () => bodyWith(body, place, make(Math.min(capOf(path), MAX_BYTES) - MEMBERS_BYTES)),
          isPaid: true,
        };
}

import { ACCESS_MATRIX, COLUMNS } from '../support/api/access-matrix.data.js';
import { type OpenApiCheck, UndocumentedAnswer } from '../support/api/openapi-check.js';
import type { FuzzRequest, FuzzResponse, ThingKind } from './requests/fuzz-request.js';
import { allowedStatuses, isConditional, nameOfRoute } from './specification-statuses.js';

/** Ids that no other account may use. Names chosen by callers may exist in both accounts. */
const OWNED: ReadonlySet<ThingKind> = new Set(['key', 'intern', 'running intern', 'file', 'workspace', 'credential']);
/** Resources that return 404 immediately after deletion. An intern is removed later. */
const DELETED_AT_ONCE: ReadonlySet<ThingKind> = new Set(['key', 'file', 'workspace', 'credential']);

const ACCESS = new Map(
  ACCESS_MATRIX.map(([route, statuses]) => [route, new Map(COLUMNS.map((column, at) => [column, statuses[at]!]))]),
);
/** Classes of keys that the service accepts. */
const LIVING: ReadonlySet<string> = new Set(['standard', 'management', "intern's own"]);
const MIN_STATUS_OF_ERROR = 400;
/** Routes to which browsers navigate. */
const OF_BROWSERS: ReadonlySet<string> = new Set(['GET /console/oidc/{}/start', 'GET /console/oidc/{}/callback']);

/** The HTTP server refuses a larger head with 431, before the request reaches a route. */
const MAX_HEAD_BYTES = 16_384;

/** Judges each response separately. Its only state is the compiled schemas. */
export class ResponseJudge {
  constructor(
    private readonly check: OpenApiCheck,
    /** Texts that no response may contain. */
    private readonly secrets: readonly string[] = [],
  ) {}

  /** The faults of a response, one line each. */
  faultsOf(request: FuzzRequest, response: FuzzResponse): string[] {
    if (response.status === 431 && headBytes(request) > MAX_HEAD_BYTES) return envelopeFaults(response);
    const route = this.check.routeOf(request.method, request.path);
    const name = route && nameOfRoute(route.method, route.path);
    return [
      ...this.#statusFaults(name, request, response),
      ...this.#documentFaults(request, response),
      ...this.#errorFaults(name, response),
      ...accessFaults(name, request, response),
      ...isolationFaults(request, response),
      ...this.secrets
        .filter((secret) => response.body.includes(secret))
        .map(() => 'the response contains a secret of the service'),
    ];
  }

  #errorFaults(name: string | undefined, response: FuzzResponse): string[] {
    if (name === 'POST /oauth/token') return oauthFaults(response);
    return name !== undefined && OF_BROWSERS.has(name) ? pageFaults(response) : envelopeFaults(response);
  }

  #statusFaults(name: string | undefined, request: FuzzRequest, { status }: FuzzResponse): string[] {
    if (status === 500) return ['status 500'];
    if (name === undefined) return [];
    const allowed = allowedStatuses(name);
    if (!allowed) return [`${name} is in no list of statuses: add it to specification-statuses.ts`];
    if (allowed.has(status) || (status === 304 && isConditional(request.method, request.headers))) return [];
    return [`status ${status} is not in the list of ${name}`];
  }

  #documentFaults(request: FuzzRequest, { status, headers, body }: FuzzResponse): string[] {
    try {
      // A caller that disconnects early has not read the body.
      const isWhole = !request.leaves || status >= MIN_STATUS_OF_ERROR;
      if (isWhole) this.check.expectDocumented(request.method, request.path, status, headers, body);
      return [];
    } catch (error) {
      if (error instanceof UndocumentedAnswer)
        return [`not as documented: ${error.message.replace(/^.*? answered/, 'answered')}`];
      throw error;
    }
  }
}

/** A lower bound, because the client adds a Host header. */
const headBytes = ({ method, path, headers }: FuzzRequest): number =>
  Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + value.length + 4,
    method.length + path.length + 12,
  );

/** Every error is `{"error": {"code": <status>, "message": <text>}}` in JSON. */
function envelopeFaults({ status, headers, body }: FuzzResponse): string[] {
  if (status < MIN_STATUS_OF_ERROR) return [];
  const type = headers.get('content-type') ?? '';
  if (!/^application\/json(; ?charset=utf-8)?$/i.test(type)) return [`an error with the content type "${type}"`];
  const error = errorIn(body);
  if (error === undefined) return ['an error without an envelope'];
  return [
    ...(error.code === status
      ? []
      : [`the code in the envelope is ${JSON.stringify(error.code)}, the status ${status}`]),
    ...(typeof error.message === 'string' && error.message.trim() !== '' ? [] : ['the envelope has no message']),
  ];
}

/** Routes to which browsers navigate return error pages. Errors that occur before the route return the envelope. */
function pageFaults(response: FuzzResponse): string[] {
  const { status, headers, body } = response;
  if (status < MIN_STATUS_OF_ERROR || !headers.get('content-type')?.startsWith('text/html'))
    return envelopeFaults(response);
  return /^<!doctype html>.*<h1>[^<]+<\/h1>/s.test(body.toString('utf8')) ? [] : ['an error page without a heading'];
}

/** Errors of the token exchange have OAuth's form: `{"error": <word>, "error_description": <text>}`. */
function oauthFaults({ status, body }: FuzzResponse): string[] {
  if (status < MIN_STATUS_OF_ERROR) return [];
  return /^\{"error":"[a-z_]+","error_description":"[^"].*"\}$/s.test(body.toString('utf8'))
    ? []
    : ['an error without the form of OAuth'];
}

function errorIn(body: Buffer): { code?: unknown; message?: unknown } | undefined {
  try {
    const { error } = JSON.parse(body.toString('utf8')) as { error?: object };
    return typeof error === 'object' && error !== null ? error : undefined;
  } catch {
    return undefined;
  }
}

/** A key that may not call a route gets the status of the access matrix, whatever other faults the request has. */
function accessFaults(name: string | undefined, { key, path }: FuzzRequest, { status }: FuzzResponse): string[] {
  const expected = name === undefined || key.column === undefined ? undefined : ACCESS.get(name)?.get(key.column);
  if (expected === undefined || ![401, 403, 404].includes(expected) || status === expected) return [];
  // A path that cannot be decoded matches no route, so an accepted key gets 400.
  if (status === 400 && key.account !== undefined && LIVING.has(key.column!) && !isDecodable(path)) return [];
  // With GET /generation a key can read its own calls.
  if (name === 'GET /generation' && expected === 404) return [];
  return [`status ${status}; ${name} must return ${expected} to ${key.name}`];
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path.split('?')[0]!) !== '';
  } catch {
    return false;
  }
}

function isolationFaults({ named, key }: FuzzRequest, { status }: FuzzResponse): string[] {
  if (status < 200 || status > 299) return [];
  return [
    ...named
      .filter((thing) => OWNED.has(thing.kind) && thing.account !== key.account)
      .map(({ kind }) => `status ${status} for a ${kind} of another account`),
    ...named
      .filter((thing) => DELETED_AT_ONCE.has(thing.kind) && thing.gone)
      .map(({ kind }) => `status ${status} for a deleted ${kind}`),
  ];
}

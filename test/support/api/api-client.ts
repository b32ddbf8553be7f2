import { OpenApiCheck } from './openapi-check.js';

export interface ApiRequest {
  /** Sent as JSON, with its content type. */
  readonly json?: unknown;
  /** Sent unchanged; set the content type in `headers`. */
  readonly body?: RequestInit['body'];
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the client's key; null = no Authorization header. */
  readonly key?: string | null;
  readonly signal?: AbortSignal;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. Tests read single members, hence `any`. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

type Call = (path: string, request?: ApiRequest) => Promise<ApiAnswer>;
export interface ApiClient {
  readonly get: Call;
  readonly post: Call;
  readonly put: Call;
  readonly patch: Call;
  readonly delete: Call;
}

const checks = new Map<string, Promise<OpenApiCheck>>();
let checkedFile: string | undefined;

/** One check per service. Another test file may later start another service on the same port. */
function checkOf(origin: string): Promise<OpenApiCheck> {
  const { testPath } = expect.getState();
  if (testPath !== checkedFile) checks.clear();
  checkedFile = testPath;
  let check = checks.get(origin);
  if (!check) {
    check = OpenApiCheck.of(origin);
    checks.set(origin, check);
    check.catch(() => checks.delete(origin));
  }
  return check;
}

/**
 * Calls the API at `origin` (http://127.0.0.1:3000) with paths below /api/v1 (`/keys`). Checks every response against
 * the service's OpenAPI document, which it reads from `documentOrigin`.
 */
export function apiClient(origin: string, key?: string, documentOrigin = origin): ApiClient {
  const call =
    (method: string): Call =>
    async (path, request = {}) => {
      const check = await checkOf(documentOrigin);
      const answer = await fetch(`${origin}/api/v1${path}`, {
        method,
        headers: headersOf(request, key),
        body: request.json === undefined ? request.body : JSON.stringify(request.json),
        redirect: 'manual',
        signal: request.signal,
      });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      check.expectDocumented(method, `/api/v1${path}`, answer.status, answer.headers, bytes);
      const text = Buffer.from(bytes).toString('utf8');
      return { status: answer.status, headers: answer.headers, bytes, text, json: parsed(answer.headers, text) };
    };
  return { get: call('GET'), post: call('POST'), put: call('PUT'), patch: call('PATCH'), delete: call('DELETE') };
}

function headersOf(request: ApiRequest, ownKey: string | undefined): Record<string, string> {
  const key = request.key === undefined ? ownKey : request.key;
  return {
    ...(key ? { authorization: `Bearer ${key}` } : {}),
    ...(request.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...request.headers,
  };
}

function parsed(headers: Headers, text: string): unknown {
  return /\bjson\b/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : undefined;
}

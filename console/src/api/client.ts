import createClient, { type Middleware } from 'openapi-fetch';
import { QUERY_KEYS } from './query-keys';
import { ApiFault } from './api-fault';
import { queries } from './queries';
import type { paths } from './schema';

/** The prefix of the paths at which API operations accept the cookie of the session. */
const PREFIX = '/console';

async function failed(response: Response): Promise<ApiFault> {
  const fault = await ApiFault.of(response);
  // Read the session again, because it may have ended. A 401 can also mean a key of the wrong class.
  if (fault.status === 401) void queries.invalidateQueries({ queryKey: QUERY_KEYS.session });
  return fault;
}

const throwFaults: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await failed(response);
  },
};

export const api = createClient<paths>({ baseUrl: PREFIX });
api.use(throwFaults);

/** The operations of the session itself, whose paths start with /console. */
export const sessionApi = createClient<paths>({ baseUrl: '' });
sessionApi.use(throwFaults);

/** The body of a successful response. For an error response, the call itself throws ApiFault. */
export async function body<T>(call: Promise<{ data?: T }>): Promise<T> {
  return (await call).data as T;
}

/** A POST whose response is a stream or bytes. `path`: below /api/v1. */
export async function post(path: string, json: unknown, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(`${PREFIX}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
    signal,
  });
  if (!response.ok) throw await failed(response);
  return response;
}

/** The bytes of a file. `path`: below /api/v1. */
export async function download(path: string): Promise<Blob> {
  const response = await fetch(`${PREFIX}/api/v1${path}`);
  if (!response.ok) throw await failed(response);
  return response.blob();
}

/** Sends a form with one file. `path`: below /api/v1. */
export async function upload(path: string, file: File): Promise<void> {
  const form = new FormData();
  form.set('file', file);
  const response = await fetch(`${PREFIX}/api/v1${path}`, { method: 'POST', body: form });
  if (!response.ok) throw await failed(response);
}

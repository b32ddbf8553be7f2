import type { FuzzRequest, FuzzResponse } from './requests/fuzz-request.js';
import type { KnownThings } from './known-things.js';

/** Adds the resources that a request created to `known`, and marks the resource that a request deleted. */
export function learn(known: KnownThings, request: FuzzRequest, { status, headers, body }: FuzzResponse): void {
  if (status < 200 || status > 299) return;
  const {
    key: { account },
    method,
    path,
    named,
  } = request;
  known.add('generation', account, headers.get('x-generation-id') ?? undefined);
  known.add('etag', account, headers.get('etag') ?? undefined);
  known.add('idempotency key', account, request.headers['idempotency-key'] || undefined);
  const pathname = path.split('?')[0]!;
  const last = named.at(-1);
  // Requests such as `DELETE /keys/{hash}/raise` do not delete the named resource.
  const isDeleted = method === 'DELETE' && last && pathname.endsWith(`/${encodeURIComponent(last.id)}`);
  if (isDeleted) last.gone = true;
  const route = `${method} ${pathname.replace(/^\/api\/v1/, '')}`;
  const json = jsonOf(headers, body);
  if (json === undefined) return;
  known.add('cursor', account, json['next_cursor'] ?? json['cursor']);
  const data = (json['data'] ?? {}) as Record<string, unknown>;
  switch (route) {
    case 'POST /keys':
      known.add('key', account, data['hash']);
      known.add('secret key', account, json['key']);
      break;
    case 'POST /interns':
      known.add('intern', account, json['id']);
      known.add('vault', account, json['vault_id']);
      break;
    case 'POST /files':
      known.add('file', account, json['id']);
      break;
    case 'POST /workspaces':
      known.add('workspace', account, data['id']);
      break;
    case 'POST /webhooks':
      known.add('webhook', account, data['id']);
      break;
    case 'POST /byok':
      known.add('credential', account, data['id']);
      break;
    case 'POST /end-users':
      known.add('end user', account, data['user']);
      break;
    default:
      if (/^POST \/webhooks\/[^/]+\/test$/.test(route)) known.add('delivery', account, data['id']);
      if (route.endsWith('/rotate')) known.add('key', account, data['hash']);
      if (method === 'PUT') known.add('secret', account, data['name']);
  }
}

function jsonOf(headers: Headers, body: Buffer): Record<string, unknown> | undefined {
  if (!headers.get('content-type')?.startsWith('application/json') || body.length > 1_000_000) return undefined;
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    return typeof json === 'object' && json !== null && !Array.isArray(json)
      ? (json as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

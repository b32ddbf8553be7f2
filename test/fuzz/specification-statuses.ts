/**
 * The statuses that each operation may answer, copied by hand from the specification and from the published shapes of
 * its neighbouring operations. They are not derived from the service's own OpenAPI document: a status that the document
 * adds is a finding.
 * 500 is in several of the specification's lists, and in none here: it stands for a defect or for a missing database.
 */
const SPECIFIED: Readonly<Record<string, readonly number[]>> = {
  'POST /interns': [200, 201, 400, 401, 403, 404, 408, 409, 413, 415, 502],
  'GET /keys/{}': [200, 401, 404, 429],
  'POST /images': [200, 400, 401, 402, 403, 404, 413, 429, 502, 524, 529],
  'POST /chat/completions': [200, 400, 401, 402, 403, 404, 408, 413, 422, 429, 502, 503, 524, 529],
  'POST /messages': [200, 400, 401, 402, 403, 404, 408, 413, 422, 429, 502, 503, 524, 529],
  'POST /messages/count_tokens': [200, 400, 401, 408, 413, 429, 503],
  'POST /responses': [200, 400, 401, 402, 403, 404, 408, 413, 422, 429, 502, 503, 524, 529],
  'POST /responses/compact': [200, 400, 401, 402, 403, 404, 408, 413, 422, 429, 502, 503, 524, 529],
  'POST /embeddings': [200, 400, 401, 402, 404, 408, 413, 429, 502, 503, 524, 529],
  'POST /analytics/query': [200, 400, 401, 403, 408],
  'POST /audio/speech': [200, 400, 401, 402, 404, 429, 502, 503, 524, 529],
  'GET /images/models/{}/{}/endpoints': [200, 404],
  'GET /end-users/{}': [200, 400, 401, 404],
  'POST /files': [200, 400, 401, 403, 413, 429],
  'GET /models': [200, 400],
  'GET /benchmarks': [200, 400, 401, 429],
  // 404: a foreign or unknown workspace_id on a read.
  'GET /byok': [200, 401, 404],
};

/**
 * Operations whose shape the specification does not show. 403: the route is refused to keys that are not management
 * keys.
 */
const NEIGHBOURS: Readonly<Record<string, readonly number[]>> = {
  'POST /audio/transcriptions': [200, 402, 404, 408, 502, 503, 524, 529],
  'POST /completions': [200, 402, 403, 404, 408, 422, 502, 503, 524, 529],
  'POST /rerank': [200, 402, 404, 408, 502, 503, 524, 529],
  'POST /images/generations': [200, 402, 403, 404, 502, 524, 529],
  'POST /images/edits': [200, 402, 403, 404, 502, 524, 529],
  'GET /images/links/{}': [200, 404],
  'GET /models/count': [200],
  'GET /models/user': [200],
  'GET /models/{}/{}/endpoints': [200, 404],
  'GET /models/{}': [200, 404],
  'GET /models/{}/{}': [200, 404],
  'GET /model/{}/{}': [200, 404],
  'GET /endpoints/zdr': [200],
  'GET /providers': [200],
  'GET /embeddings/models': [200],
  'GET /images/models': [200],
  'GET /key': [200],
  'GET /keys': [200, 404],
  'POST /keys': [201, 403, 409],
  'PATCH /keys/{}': [200, 404],
  'DELETE /keys/{}': [200, 404],
  'POST /keys/{}/rotate': [200, 404, 409],
  'GET /keys/{}/settings': [200, 404],
  'PUT /keys/{}/settings': [200, 404],
  'GET /end-users': [200],
  'POST /end-users': [201, 409],
  'PATCH /end-users/{}': [200, 404],
  'DELETE /end-users/{}': [200, 404],
  'GET /workspaces': [200],
  'POST /workspaces': [201, 403],
  'GET /workspaces/{}': [200, 404],
  'PATCH /workspaces/{}': [200, 403, 404],
  'DELETE /workspaces/{}': [200, 403, 404],
  'GET /workspaces/{}/settings': [200, 404],
  'PATCH /workspaces/{}/settings': [200, 403, 404],
  'GET /credits': [200, 403],
  'GET /activity': [200, 403, 404],
  'GET /models/aliases': [200, 403, 404],
  'PUT /models/aliases/{}': [200, 403, 404, 409],
  'DELETE /models/aliases/{}': [200, 403, 404],
  'GET /generation': [200, 404],
  'GET /generations': [200, 404, 408],
  'GET /generations/{}': [200, 404],
  'GET /ledger': [200, 403, 404],
  'GET /audit': [200, 403],
  'GET /members': [200, 403],
  'PATCH /members/{}': [200, 403, 404, 409],
  'DELETE /members/{}': [200, 403, 404, 409],
  'POST /members/{}/deactivate': [200, 403, 404, 409],
  'GET /organization/members': [200],
  'GET /invitations': [200, 403],
  'POST /invitations': [201, 403],
  'DELETE /invitations/{}': [200, 403, 404],
  'GET /workspaces/{}/members': [200, 403, 404],
  'POST /workspaces/{}/members/add': [200, 403, 404],
  'POST /workspaces/{}/members/remove': [200, 403, 404],
  'PATCH /workspaces/{}/members/{}': [200, 403, 404, 409],
  'GET /analytics/meta': [200, 403],
  'GET /files': [200, 403, 404],
  'GET /files/{}': [200, 403, 404],
  'GET /files/{}/content': [200, 403, 404],
  'DELETE /files/{}': [200, 403, 404],
  'GET /webhooks': [200, 403],
  'POST /webhooks': [201, 403, 409],
  'GET /webhooks/{}': [200, 403, 404],
  'PATCH /webhooks/{}': [200, 403, 404, 409],
  'DELETE /webhooks/{}': [200, 403, 404],
  'POST /webhooks/{}/test': [200, 403, 404],
  'POST /webhooks/{}/rotate': [200, 403, 404, 409],
  'GET /webhooks/{}/deliveries': [200, 403, 404],
  'POST /webhooks/{}/deliveries/{}/resend': [200, 403, 404, 409],
  'POST /auth/keys/code': [200, 403, 409],
  'POST /auth/keys': [200, 403],
  'POST /oauth/token': [200, 408],
  'GET /oauth/jwks': [200],
  'GET /budgets': [200, 403],
  'POST /budgets': [201, 403, 409],
  'GET /budgets/{}': [200, 403, 404],
  'PATCH /budgets/{}': [200, 403, 404],
  'DELETE /budgets/{}': [200, 403, 404],
  'PUT /budgets/{}/raise': [200, 403, 404],
  'DELETE /budgets/{}/raise': [200, 403, 404],
  'GET /budgets/{}/balances': [200, 403, 404],
  'GET /workspaces/{}/budgets': [200, 404],
  'GET /workspaces/{}/budgets/{}': [200, 404],
  'PUT /workspaces/{}/budgets/{}': [200, 404],
  'DELETE /workspaces/{}/budgets/{}': [200, 404],
  'GET /federation-policies': [200, 403],
  'POST /federation-policies': [201, 403, 409],
  'GET /federation-policies/{}': [200, 403, 404],
  'PATCH /federation-policies/{}': [200, 403, 404],
  'DELETE /federation-policies/{}': [200, 403, 404],
  'POST /byok': [201, 403],
  'GET /byok/{}': [200, 404],
  'PATCH /byok/{}': [200, 404],
  'DELETE /byok/{}': [200, 404],
  'GET /interns': [200, 403, 404, 408],
  'GET /interns/{}': [200, 403, 404, 408],
  'PATCH /interns/{}': [200, 403, 404, 408, 409, 415],
  'DELETE /interns/{}': [202, 403, 404, 408, 409, 415],
  'GET /interns/{}/settings': [200, 403, 404, 408],
  'PUT /interns/{}/settings': [200, 403, 404, 408, 409, 415],
  'POST /interns/{}/provision': [202, 403, 404, 408, 409, 415],
  'POST /interns/{}/suspend': [200, 403, 404, 408, 409, 415],
  'POST /interns/{}/chat/completions': [200, 202, 403, 404, 408, 409, 410, 502, 503],
  'GET /interns/{}/sessions': [200, 403, 404, 408, 409, 502, 503],
  'DELETE /interns/{}/sessions/{}': [204, 403, 404, 408, 409, 502, 503],
  // Requests without a cookie, that no page of the service sent.
  'GET /console/session': [401],
  'GET /console/session/state': [200],
  'POST /console/session': [403],
  'PUT /console/session': [403],
  'DELETE /console/session': [403],
  'GET /console/sessions': [401],
  'DELETE /console/sessions': [403],
  'DELETE /console/sessions/{}': [403],
  'GET /console/session/identities': [401],
  'POST /console/session/identities': [403],
  'DELETE /console/session/identities/{}': [403],
  'GET /console/oidc/{}/start': [404],
  'POST /console/oidc/{}/start': [403],
  'GET /console/oidc/{}/callback': [404],
  'POST /console/oidc/{}/backchannel': [404],
  'GET /identity-providers': [200],
  'GET /identity-providers/status': [200, 403],
  'GET /vault/secrets': [200, 404],
  'PUT /vault/secrets/{}': [200, 404],
  'DELETE /vault/secrets/{}': [204, 404],
  'GET /vault/interns/{}/secrets': [200, 404],
  'PUT /vault/interns/{}/secrets/{}': [200, 404],
  'DELETE /vault/interns/{}/secrets/{}': [204, 404],
  'POST /vault/interns/{}/secrets/copy': [200, 404],
  'GET /vault/interns/{}/secrets/effective': [200, 404],
};

/**
 * Any route may answer these, whatever its list says. 503 is not among them: the database is there throughout the
 * run.
 */
const ANYWHERE: readonly number[] = [400, 401, 413, 429];

/** `GET /api/v1/keys/{hash}` → `GET /keys/{}`. */
export const nameOfRoute = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, '').replaceAll(/\{[^}]+\}/g, '{}')}`;

/** The statuses that a route may answer; undefined where no list has the route. */
export function allowedStatuses(route: string): ReadonlySet<number> | undefined {
  const own = SPECIFIED[route] ?? NEIGHBOURS[route];
  return own && new Set([...own, ...ANYWHERE]);
}

/** 304 is no error and in no list: it is right where the caller sent If-None-Match to a read. */
export const isConditional = (method: string, headers: Readonly<Record<string, string>>): boolean =>
  method === 'GET' && headers['if-none-match'] !== undefined;

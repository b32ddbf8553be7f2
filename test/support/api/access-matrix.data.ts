/**
 * The expected status of each route for each kind of key, written from section 2 of docs/api-rules.md and from the
 * lists of the specification, independent of the code under test. A route of the OpenAPI document without a row fails
 * the test.
 *
 * Columns: no key, malformed header, unknown, disabled and expired key; a standard, a management and an intern's own
 * key of the account; and a key of another account with permission for the route, on resources of the first account.
 */
export const COLUMNS = [
  'no key',
  'malformed',
  'unknown',
  'disabled',
  'expired',
  'standard',
  'management',
  "intern's own",
  "another account's",
] as const;
export type Column = (typeof COLUMNS)[number];

type Statuses = readonly [number, number, number, number, number, number, number, number, number];

/** Method and path (parameters as {}), the statuses by column, and the class of the key of the other account. */
export type AccessRow = readonly [route: string, statuses: Statuses, other: 'standard' | 'management'];

export const ACCESS_MATRIX: readonly AccessRow[] = [
  // Public.
  ['GET /healthz', [200, 200, 200, 200, 200, 200, 200, 200, 200], 'standard'],
  ['GET /', [200, 200, 200, 200, 200, 200, 200, 200, 200], 'standard'],
  ['GET /readyz', [200, 200, 200, 200, 200, 200, 200, 200, 200], 'standard'],
  // Only a session cookie gives access: a key in the header is ignored. Writes are allowed only from pages of the
  // service.
  ['GET /console/session', [401, 401, 401, 401, 401, 401, 401, 401, 401], 'standard'],
  ['GET /console/session/state', [200, 200, 200, 200, 200, 200, 200, 200, 200], 'standard'],
  ['POST /console/session', [403, 403, 403, 403, 403, 403, 403, 403, 403], 'standard'],
  ['PUT /console/session', [403, 403, 403, 403, 403, 403, 403, 403, 403], 'standard'],
  ['DELETE /console/session', [403, 403, 403, 403, 403, 403, 403, 403, 403], 'standard'],
  ['GET /console/sessions', [401, 401, 401, 401, 401, 401, 401, 401, 401], 'standard'],
  ['DELETE /console/sessions', [403, 403, 403, 403, 403, 403, 403, 403, 403], 'standard'],
  ['DELETE /console/sessions/{}', [403, 403, 403, 403, 403, 403, 403, 403, 403], 'standard'],
  ['GET /console/session/identities', [401, 401, 401, 401, 401, 401, 401, 401, 401], 'standard'],
  ['POST /console/session/identities', [403, 403, 403, 403, 403, 403, 403, 403, 403], 'standard'],
  ['DELETE /console/session/identities/{}', [403, 403, 403, 403, 403, 403, 403, 403, 403], 'standard'],
  // For a provider that is not configured. POST is allowed only from pages of the service.
  ['GET /console/oidc/{}/start', [404, 404, 404, 404, 404, 404, 404, 404, 404], 'standard'],
  ['POST /console/oidc/{}/start', [403, 403, 403, 403, 403, 403, 403, 403, 403], 'standard'],
  ['GET /console/oidc/{}/callback', [404, 404, 404, 404, 404, 404, 404, 404, 404], 'standard'],
  ['POST /console/oidc/{}/backchannel', [400, 400, 400, 400, 400, 400, 400, 400, 400], 'standard'],
  ['GET /identity-providers', [200, 200, 200, 200, 200, 200, 200, 200, 200], 'standard'],
  ['GET /identity-providers/status', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  // The link of an image with response_format url. It needs no key: access requires only the name in the link.
  ['GET /images/links/{}', [200, 200, 200, 200, 200, 200, 200, 200, 200], 'standard'],
  // The proof of an application or a workload is in the body, which is invalid here.
  ['POST /auth/keys', [400, 400, 400, 400, 400, 400, 400, 400, 400], 'standard'],
  ['POST /oauth/token', [400, 400, 400, 400, 400, 400, 400, 400, 400], 'standard'],
  ['GET /oauth/jwks', [200, 200, 200, 200, 200, 200, 200, 200, 200], 'standard'],
  // The catalogue, and data of the key itself: allowed for any valid key.
  ['GET /models', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  // Aliases of models: only keys of the operator's account.
  ['GET /models/aliases', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['PUT /models/aliases/{}', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['DELETE /models/aliases/{}', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['GET /models/count', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /models/user', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /models/{}/{}/endpoints', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /models/{}', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /models/{}/{}', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /model/{}/{}', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /embeddings/models', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /endpoints/zdr', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /providers', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /images/models', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /images/models/{}/{}/endpoints', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /benchmarks', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  ['GET /key', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'standard'],
  // Inference, paid by the caller.
  ['POST /images', [401, 401, 401, 401, 401, 200, 403, 200, 200], 'standard'],
  ['POST /images/generations', [401, 401, 401, 401, 401, 200, 403, 200, 200], 'standard'],
  ['POST /images/edits', [401, 401, 401, 401, 401, 200, 403, 200, 200], 'standard'],
  ['POST /audio/speech', [401, 401, 401, 401, 401, 200, 401, 200, 200], 'standard'],
  // With an empty body.
  ['POST /chat/completions', [401, 401, 401, 401, 401, 400, 401, 400, 400], 'standard'],
  ['POST /messages', [401, 401, 401, 401, 401, 400, 401, 400, 400], 'standard'],
  ['POST /messages/count_tokens', [401, 401, 401, 401, 401, 400, 401, 400, 400], 'standard'],
  ['POST /responses', [401, 401, 401, 401, 401, 400, 401, 400, 400], 'standard'],
  ['POST /responses/compact', [401, 401, 401, 401, 401, 400, 401, 400, 400], 'standard'],
  // With an empty body.
  ['POST /embeddings', [401, 401, 401, 401, 401, 400, 401, 400, 400], 'standard'],
  // With empty bodies.
  ['POST /audio/transcriptions', [401, 401, 401, 401, 401, 400, 401, 400, 400], 'standard'],
  ['POST /completions', [401, 401, 401, 401, 401, 400, 401, 400, 400], 'standard'],
  ['POST /rerank', [401, 401, 401, 401, 401, 400, 401, 400, 400], 'standard'],
  // A call of the standard key. That key can read it, and a management key can read every call of the account.
  ['GET /generation', [401, 401, 401, 401, 401, 200, 200, 404, 404], 'management'],
  // Entries that the caller may not read are omitted.
  ['POST /names', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'management'],
  ['POST /names/search', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'management'],
  ['GET /generations', [401, 401, 401, 401, 401, 200, 200, 200, 200], 'management'],
  ['GET /generations/{}', [401, 401, 401, 401, 401, 200, 200, 404, 404], 'management'],
  // Keys and end users.
  ['GET /keys', [401, 401, 401, 401, 401, 401, 200, 401, 200], 'management'],
  ['POST /keys', [401, 401, 401, 401, 401, 401, 201, 401, 201], 'management'],
  ['GET /keys/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['PATCH /keys/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['DELETE /keys/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['POST /keys/{}/rotate', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['GET /key-list', [401, 401, 401, 401, 401, 401, 200, 401, 200], 'management'],
  ['GET /keys/{}/former-secrets', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['DELETE /keys/{}/former-secrets', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['GET /keys/{}/settings', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['PUT /keys/{}/settings', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['PUT /keys/{}/raise', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['DELETE /keys/{}/raise', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['POST /auth/keys/code', [401, 401, 401, 401, 401, 401, 200, 401, 200], 'management'],
  ['GET /end-users', [401, 401, 401, 401, 401, 401, 200, 401, 200], 'management'],
  ['POST /end-users', [401, 401, 401, 401, 401, 401, 201, 401, 201], 'management'],
  ['GET /end-users/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['PATCH /end-users/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['DELETE /end-users/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  // Workspaces: without permission, reads return 401 and writes return 403.
  ['GET /workspaces', [401, 401, 401, 401, 401, 401, 200, 401, 200], 'management'],
  ['POST /workspaces', [401, 401, 401, 401, 401, 403, 201, 403, 201], 'management'],
  ['GET /workspaces/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['PATCH /workspaces/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['DELETE /workspaces/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['GET /workspaces/{}/settings', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['PATCH /workspaces/{}/settings', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['GET /workspaces/{}/members', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['POST /workspaces/{}/members/add', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['POST /workspaces/{}/members/remove', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['PATCH /workspaces/{}/members/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  // Credits, activity, analytics, files, ledger, audit, members.
  ['GET /credits', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['GET /ledger', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['GET /audit', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['GET /members', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['PATCH /members/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['DELETE /members/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['POST /members/{}/deactivate', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['GET /organization/members', [401, 401, 401, 401, 401, 401, 200, 401, 200], 'management'],
  ['GET /invitations', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['POST /invitations', [401, 401, 401, 401, 401, 403, 201, 403, 201], 'management'],
  ['DELETE /invitations/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  // The activity of one key.
  ['GET /activity', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['GET /analytics/meta', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['POST /analytics/query', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['GET /files', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['POST /files', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['GET /files/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  // Not downloadable: 400.
  ['GET /files/{}/content', [401, 401, 401, 401, 401, 403, 400, 403, 404], 'management'],
  ['DELETE /files/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  // Webhooks.
  ['GET /webhooks', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['POST /webhooks', [401, 401, 401, 401, 401, 403, 201, 403, 201], 'management'],
  ['GET /webhooks/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['PATCH /webhooks/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['DELETE /webhooks/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['POST /webhooks/{}/test', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['POST /webhooks/{}/rotate', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['POST /webhooks/{}/deliveries/{}/resend', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['GET /webhooks/{}/deliveries', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  // Budgets.
  ['GET /budgets', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['POST /budgets', [401, 401, 401, 401, 401, 403, 201, 403, 201], 'management'],
  ['GET /budgets/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['PATCH /budgets/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['DELETE /budgets/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['PUT /budgets/{}/raise', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['DELETE /budgets/{}/raise', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['GET /budgets/{}/balances', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['GET /workspaces/{}/budgets', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['GET /workspaces/{}/budgets/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['PUT /workspaces/{}/budgets/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['DELETE /workspaces/{}/budgets/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  // Federation policies.
  ['GET /federation-policies', [401, 401, 401, 401, 401, 403, 200, 403, 200], 'management'],
  ['POST /federation-policies', [401, 401, 401, 401, 401, 403, 201, 403, 400], 'management'],
  ['GET /federation-policies/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['PATCH /federation-policies/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  ['DELETE /federation-policies/{}', [401, 401, 401, 401, 401, 403, 200, 403, 404], 'management'],
  // Own provider credentials: a standard key can read the credentials of its workspace.
  ['GET /byok', [401, 401, 401, 401, 401, 200, 200, 401, 200], 'management'],
  ['POST /byok', [401, 401, 401, 401, 401, 403, 201, 403, 201], 'management'],
  ['GET /byok/{}', [401, 401, 401, 401, 401, 200, 200, 401, 404], 'management'],
  ['PATCH /byok/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  ['DELETE /byok/{}', [401, 401, 401, 401, 401, 401, 200, 401, 404], 'management'],
  // The platform's credentials: other keys and other accounts get 404.
  ['GET /health', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['GET /providers/credentials', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['POST /providers/credentials', [401, 401, 401, 401, 401, 404, 201, 404, 404], 'management'],
  ['GET /providers/credentials/{}', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['PATCH /providers/credentials/{}', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['DELETE /providers/credentials/{}', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['POST /providers/credentials/{}/test', [401, 401, 401, 401, 401, 404, 400, 404, 404], 'management'],
  ['POST /providers/credentials/{}/discover', [401, 401, 401, 401, 401, 404, 400, 404, 404], 'management'],
  ['GET /providers/own', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['POST /providers', [401, 401, 401, 401, 401, 404, 201, 404, 404], 'management'],
  ['PATCH /providers/{}', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['DELETE /providers/{}', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['POST /providers/{}/discover', [401, 401, 401, 401, 401, 404, 400, 404, 404], 'management'],
  ['GET /providers/{}/models', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['PUT /providers/{}/models/{}', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['DELETE /providers/{}/models/{}', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  ['GET /providers/{}/models/{}/versions', [401, 401, 401, 401, 401, 404, 200, 404, 404], 'management'],
  // Interns: an intern's own key can read only that intern.
  ['GET /interns', [401, 401, 401, 401, 401, 200, 401, 404, 200], 'standard'],
  ['POST /interns', [401, 401, 401, 401, 401, 201, 401, 404, 201], 'standard'],
  ['GET /interns/{}', [401, 401, 401, 401, 401, 200, 401, 200, 404], 'standard'],
  ['PATCH /interns/{}', [401, 401, 401, 401, 401, 200, 401, 404, 404], 'standard'],
  ['DELETE /interns/{}', [401, 401, 401, 401, 401, 202, 401, 404, 404], 'standard'],
  ['GET /interns/{}/settings', [401, 401, 401, 401, 401, 200, 401, 404, 404], 'standard'],
  ['PUT /interns/{}/settings', [401, 401, 401, 401, 401, 200, 401, 404, 404], 'standard'],
  ['POST /interns/{}/provision', [401, 401, 401, 401, 401, 202, 401, 404, 404], 'standard'],
  ['POST /interns/{}/suspend', [401, 401, 401, 401, 401, 200, 401, 404, 404], 'standard'],
  // The intern is stopped.
  ['POST /interns/{}/chat/completions', [401, 401, 401, 401, 401, 409, 401, 404, 404], 'standard'],
  ['GET /interns/{}/sessions', [401, 401, 401, 401, 401, 409, 401, 404, 404], 'standard'],
  ['DELETE /interns/{}/sessions/{}', [401, 401, 401, 401, 401, 409, 401, 404, 404], 'standard'],
  // Vaults: an intern's own key can read its own secrets and its effective secrets.
  ['GET /vault/secrets', [401, 401, 401, 401, 401, 200, 401, 200, 200], 'standard'],
  ['PUT /vault/secrets/{}', [401, 401, 401, 401, 401, 200, 401, 404, 200], 'standard'],
  ['DELETE /vault/secrets/{}', [401, 401, 401, 401, 401, 204, 401, 404, 404], 'standard'],
  ['GET /vault/interns/{}/secrets', [401, 401, 401, 401, 401, 200, 401, 200, 404], 'standard'],
  ['PUT /vault/interns/{}/secrets/{}', [401, 401, 401, 401, 401, 200, 401, 404, 404], 'standard'],
  ['DELETE /vault/interns/{}/secrets/{}', [401, 401, 401, 401, 401, 204, 401, 404, 404], 'standard'],
  ['POST /vault/interns/{}/secrets/copy', [401, 401, 401, 401, 401, 200, 401, 404, 404], 'standard'],
  ['GET /vault/interns/{}/secrets/effective', [401, 401, 401, 401, 401, 200, 401, 200, 404], 'standard'],
];

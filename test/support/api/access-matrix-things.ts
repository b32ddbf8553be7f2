import { randomUUID } from 'node:crypto';
import { ApiKeys } from '../../../src/auth/api-keys.js';
import type { KeyClass } from '../../../src/kernel/principal.js';
import type { ApiAnswer, ApiRequest } from './api-client.js';
import type { Column } from './access-matrix.data.js';
import { PIXEL } from '../vendors/scripted-vendor.js';
import { makeMember } from '../money/account-builders.js';
import { makeSecondAccount } from '../money/second-account.js';
import { APPLICATION_REQUESTS } from './access-matrix-applications.js';
import { BUDGET_REQUESTS } from './access-matrix-budgets.js';
import { INTERN_REQUESTS, SECRET } from './access-matrix-interns.js';
import { MEMBER_REQUESTS } from './access-matrix-members.js';
import { CHANNEL_REQUESTS } from './access-matrix-channels.js';
import { OWN_PROVIDER_REQUESTS } from './access-matrix-own-providers.js';
import { WEBHOOK_REQUESTS } from './access-matrix-webhooks.js';
import type { TestService } from '../services/test-service.js';

/** A request that succeeds if the key is allowed to make it. */
export interface Prepared {
  /** The path below /api/v1, or the whole path if it is outside. */
  readonly path: string;
  readonly request?: ApiRequest;
}

const SPEECH = { model: 'builtin/flite', voice: 'slt', input: 'Hi' };
const PICTURE = { model: 'builtin/poster', prompt: 'A poster', size: '64x64' };
const CREDENTIAL = { provider: 'openai', key: 'sk-0123456789abcdef' };
const uuid = (): string => randomUUID();
const name = (): string => `n${randomUUID().slice(0, 8)}`;
const aFile = (): ApiRequest => {
  const body = new FormData();
  body.set('file', new Blob(['text']), 'note.txt');
  return { body };
};

const anEdit = (): ApiRequest => {
  const body = new FormData();
  for (const [name, value] of Object.entries(PICTURE)) body.set(name, value);
  body.set('image', new Blob([Buffer.from(PIXEL, 'base64')]), 'a.png');
  return { body };
};

/**
 * The resources that the matrix uses: keys of every kind, and resources of the first account, created for each route.
 */
export class MatrixThings {
  readonly #keys = new Map<string, string | null>();
  internId = '';
  #generationId = '';

  constructor(private readonly service: TestService) {}

  async prepare(): Promise<void> {
    const { management, standard, sql } = this.service;
    const other = await makeSecondAccount(this.service);
    await sql.query(
      'update account_balance set granted = 1000000000 where account_no = (select no from account where id = $1)',
      [other.accountId],
    );
    this.internId = (await standard.post('/interns', { json: { name: name() } })).json.id;
    this.#generationId = (await standard.post('/audio/speech', { json: SPEECH })).headers.get('x-generation-id')!;
    for (const keyClass of ['standard', 'management'] as const) {
      this.#keys.set(keyClass, await this.#issue(keyClass));
      this.#keys.set(`disabled ${keyClass}`, await this.#issue(keyClass, { disabled: true }));
      this.#keys.set(`expired ${keyClass}`, await this.#issue(keyClass, { expires_at: new Date(Date.now() - 1_000) }));
    }
    this.#keys
      .set("another account's standard", other.standardKey)
      .set("another account's management", other.managementKey);
    this.#keys.set("intern's own", await this.#issue('intern', { intern_id: this.internId }));
    this.#keys
      .set('no key', null)
      .set('malformed', 'two words')
      .set('unknown', `sk-gh-v1-${'e'.repeat(64)}`);
    // The call that GET /generation looks up belongs to the standard key of the matrix.
    const spoken = await this.service.as(this.#keys.get('standard')!).post('/audio/speech', { json: SPEECH });
    this.#generationId = spoken.headers.get('x-generation-id') ?? this.#generationId;
    await management.get('/key');
  }

  /** The key of a column. `of`: its class, if the column is for disabled, expired or foreign keys. Null = no key. */
  keyFor(column: Column, of: 'standard' | 'management'): string | null {
    return this.#keys.get(column) ?? this.#keys.get(`${column} ${of}`) ?? null;
  }

  /** A request for a route of the matrix. Creates the resources that it needs. */
  async requestFor(route: string): Promise<Prepared> {
    const make = PREPARED[route];
    if (make) return make(this);
    return { path: route.split(' ')[1]! };
  }

  async management(method: 'post' | 'put', path: string, request: ApiRequest): Promise<ApiAnswer> {
    return this.service.management[method](path, request);
  }

  async standard(method: 'post' | 'put', path: string, request: ApiRequest): Promise<ApiAnswer> {
    return this.service.standard[method](path, request);
  }

  generation(): string {
    return this.#generationId;
  }

  async key(): Promise<string> {
    return (await this.management('post', '/keys', { json: { name: 'thing' } })).json.data.hash;
  }

  async endUser(): Promise<string> {
    return (await this.management('post', '/end-users', { json: { user: uuid() } })).json.data.user;
  }

  async workspace(): Promise<string> {
    return (await this.management('post', '/workspaces', { json: { name: 'thing', slug: uuid() } })).json.data.id;
  }

  /** Creates a member of the first account. */
  async member(): Promise<string> {
    const [account] = await this.service.sql.query<{ id: string }>('select id from account order by no limit 1');
    return makeMember(this.service, { accountId: account!.id });
  }

  async credential(): Promise<string> {
    return (await this.management('post', '/byok', { json: CREDENTIAL })).json.data.id;
  }

  async imageLink(): Promise<string> {
    const request = json({ ...PICTURE, response_format: 'url' });
    const { url } = (await this.standard('post', '/images/generations', request)).json.data[0] as { url: string };
    return url.slice(url.lastIndexOf('/') + 1);
  }

  async file(): Promise<string> {
    return (await this.management('post', '/files', aFile())).json.id;
  }

  async intern(): Promise<string> {
    return (await this.standard('post', '/interns', { json: { name: name() } })).json.id;
  }

  async secretAt(vault: string): Promise<string> {
    const secret = name();
    await this.standard('put', `${vault}/${secret}`, { json: SECRET });
    return secret;
  }

  async #issue(keyClass: KeyClass, columns: Record<string, unknown> = {}): Promise<string> {
    const [row] = await this.service.sql.query<{ account_id: string; workspace_id: string; creator_user_id: string }>(
      `select account_id, workspace_id, creator_user_id
       from api_key
       where key_class = 'management'
       order by no
       limit 1`,
    );
    const place = { accountId: row!.account_id, workspaceId: row!.workspace_id, creatorUserId: row!.creator_user_id };
    const { key, secret } = await this.service.app
      .get(ApiKeys, { strict: false })
      .issue({ ...place, keyClass, name: keyClass });
    for (const [column, value] of Object.entries(columns))
      await this.service.sql.query(`update api_key set ${column} = $2 where hash = $1`, [key.hash, value]);
    return secret;
  }
}

const json = (body: unknown): ApiRequest => ({ json: body });
/** Requests that need more than a path. */
const PREPARED: Readonly<Record<string, (things: MatrixThings) => Prepared | Promise<Prepared>>> = {
  'GET /models/{}/{}/endpoints': () => ({ path: '/models/builtin/flite/endpoints' }),
  'GET /models/{}': () => ({ path: '/models/builtin%2Fflite' }),
  'GET /models/{}/{}': () => ({ path: '/models/builtin/flite' }),
  'GET /model/{}/{}': () => ({ path: '/model/builtin/flite' }),
  'GET /images/models/{}/{}/endpoints': () => ({ path: '/images/models/builtin/poster/endpoints' }),
  'POST /images': () => ({ path: '/images', request: json(PICTURE) }),
  'POST /images/generations': () => ({ path: '/images/generations', request: json(PICTURE) }),
  'POST /images/edits': () => ({ path: '/images/edits', request: anEdit() }),
  'GET /images/links/{}': async (things) => ({ path: `/images/links/${await things.imageLink()}` }),
  'POST /audio/speech': () => ({ path: '/audio/speech', request: json(SPEECH) }),
  'POST /chat/completions': () => ({ path: '/chat/completions', request: json({}) }),
  'POST /messages': () => ({ path: '/messages', request: json({}) }),
  'POST /messages/count_tokens': () => ({ path: '/messages/count_tokens', request: json({}) }),
  'POST /responses': () => ({ path: '/responses', request: json({}) }),
  'POST /responses/compact': () => ({ path: '/responses/compact', request: json({}) }),
  'POST /embeddings': () => ({ path: '/embeddings', request: json({}) }),
  'POST /audio/transcriptions': () => ({ path: '/audio/transcriptions', request: json({}) }),
  'POST /completions': () => ({ path: '/completions', request: json({}) }),
  'POST /rerank': () => ({ path: '/rerank', request: json({}) }),
  'GET /generation': (things) => ({ path: `/generation?id=${things.generation()}` }),
  'POST /keys': () => ({ path: '/keys', request: json({ name: 'new' }) }),
  'GET /keys/{}': async (things) => ({ path: `/keys/${await things.key()}` }),
  'PATCH /keys/{}': async (things) => ({ path: `/keys/${await things.key()}`, request: json({ name: 'changed' }) }),
  'DELETE /keys/{}': async (things) => ({ path: `/keys/${await things.key()}` }),
  'GET /generations/{}': (things) => ({ path: `/generations/${things.generation()}` }),
  'POST /keys/{}/rotate': async (things) => ({ path: `/keys/${await things.key()}/rotate`, request: json({}) }),
  'GET /keys/{}/former-secrets': async (things) => ({ path: `/keys/${await things.key()}/former-secrets` }),
  'DELETE /keys/{}/former-secrets': async (things) => ({ path: `/keys/${await things.key()}/former-secrets` }),
  'GET /keys/{}/settings': async (things) => ({ path: `/keys/${await things.key()}/settings` }),
  'PUT /keys/{}/settings': async (things) => ({ path: `/keys/${await things.key()}/settings`, request: json({}) }),
  'POST /end-users': (_things) => ({ path: '/end-users', request: {} }),
  'GET /end-users/{}': async (things) => ({ path: `/end-users/${await things.endUser()}` }),
  'PATCH /end-users/{}': async (things) => ({
    path: `/end-users/${await things.endUser()}`,
    request: json({ is_active: false }),
  }),
  'DELETE /end-users/{}': async (things) => ({ path: `/end-users/${await things.endUser()}` }),
  'POST /workspaces': () => ({ path: '/workspaces', request: {} }),
  'GET /workspaces/{}': async (things) => ({ path: `/workspaces/${await things.workspace()}` }),
  'PATCH /workspaces/{}': async (things) => ({
    path: `/workspaces/${await things.workspace()}`,
    request: json({ name: 'changed' }),
  }),
  'GET /workspaces/{}/settings': async (things) => ({ path: `/workspaces/${await things.workspace()}/settings` }),
  'PATCH /workspaces/{}/settings': async (things) => ({
    path: `/workspaces/${await things.workspace()}/settings`,
    request: json({ default_max_output_tokens: 4096 }),
  }),
  'DELETE /workspaces/{}': async (things) => ({ path: `/workspaces/${await things.workspace()}` }),
  'GET /activity': async (things) => ({ path: `/activity?api_key_hash=${await things.key()}` }),
  'POST /analytics/query': () => ({ path: '/analytics/query', request: json({ metrics: ['request_count'] }) }),
  'POST /names': () => ({ path: '/names', request: json({ api_key_hashes: ['f'.repeat(64)] }) }),
  'POST /names/search': () => ({ path: '/names/search', request: json({ query: 'a' }) }),
  'POST /files': () => ({ path: '/files', request: aFile() }),
  'GET /files/{}': async (things) => ({ path: `/files/${await things.file()}` }),
  'GET /files/{}/content': async (things) => ({ path: `/files/${await things.file()}/content` }),
  'DELETE /files/{}': async (things) => ({ path: `/files/${await things.file()}` }),
  'POST /byok': () => ({ path: '/byok', request: json(CREDENTIAL) }),
  'GET /byok/{}': async (things) => ({ path: `/byok/${await things.credential()}` }),
  'PATCH /byok/{}': async (things) => ({ path: `/byok/${await things.credential()}`, request: json({ name: 'new' }) }),
  'DELETE /byok/{}': async (things) => ({ path: `/byok/${await things.credential()}` }),
  'PUT /models/aliases/{}': () => ({ path: '/models/aliases/matrix', request: json({ models: ['openai/gpt-4o'] }) }),
  'DELETE /models/aliases/{}': async (things) => {
    await things.management('put', '/models/aliases/matrix', json({ models: ['openai/gpt-4o'] }));
    return { path: '/models/aliases/matrix' };
  },
  ...APPLICATION_REQUESTS,
  ...BUDGET_REQUESTS,
  ...MEMBER_REQUESTS,
  ...CHANNEL_REQUESTS,
  ...OWN_PROVIDER_REQUESTS,
  ...WEBHOOK_REQUESTS,
  ...INTERN_REQUESTS,
};

import { randomUUID } from 'node:crypto';
import { rawHttp } from '../../support/hostile/raw-http.js';
import { bearerOf } from '../../support/interns/intern-requests.js';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';

const refusal = (code: number, reason: string, message: unknown = expect.any(String)): object => ({
  error: { code, message, metadata: { reason, retryable: false } },
});
const bare = (code: number): object => ({ error: { code, message: expect.any(String) } });
const REGIONAL = 'eu.gateway.example';
const TOO_LARGE = 'x'.repeat(1_048_577);

/** Each row violates two consecutive rules. The response must report the first of them. */
describe('POST /interns: the order of its checks (docs/api-rules.md, section 10)', () => {
  let stage: InternsStage;
  let me: Member;
  beforeAll(async () => {
    stage = await startInternsStage({
      env: { INTERN_RUNTIME: 'none', REGIONAL_HOSTNAMES: REGIONAL, INTERN_LIMIT_PER_MEMBER: '2' },
    });
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    me = await stage.member();
  });
  const create = (json: unknown, headers?: Record<string, string>) => me.api.post('/interns', { json, headers });
  const json = { 'content-type': 'application/json' };
  const text = { 'content-type': 'text/plain' };
  const forbidInterns = () =>
    stage.sql.query('update workspace set interns_allowed = false where id = $1', [me.workspaceId]);

  /** Sent over a plain socket, because fetch does not allow a Host header. */
  async function onRegionalHost(authorization: string | undefined): Promise<unknown> {
    const { text: answer } = await rawHttp(
      stage.origin,
      `POST /api/v1/interns HTTP/1.1\r\nHost: ${REGIONAL}\r\n` +
        `${authorization === undefined ? '' : `Authorization: ${authorization}\r\n`}Connection: close\r\n\r\n`,
      [],
    );
    return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
  }

  it('key (401) before regional hostname (403)', async () => {
    expect(await onRegionalHost(undefined)).toEqual(bare(401));
    expect(await onRegionalHost('Bearer unknown')).toEqual(bare(401));
    expect(await onRegionalHost(await bearerOf(stage, me, 'management'))).toEqual(bare(401));
  });

  it('regional hostname (403) before programme (404) and capability (403)', async () => {
    await forbidInterns();
    expect(await onRegionalHost(await bearerOf(stage, await stage.member({ inProgramme: false })))).toEqual({
      error: { code: 403, message: 'Forbidden' },
    });
    expect(await onRegionalHost(await bearerOf(stage, me))).toEqual({ error: { code: 403, message: 'Forbidden' } });
  });

  it('programme (404) before acting member, capability, content type, size and everything in the body', async () => {
    const outside = await stage.member({ inProgramme: false });
    await stage.sql.query('update workspace set interns_allowed = false where id = $1', [outside.workspaceId]);
    expect((await outside.api.post('/interns', { body: TOO_LARGE, headers: text })).json).toEqual(
      refusal(404, 'not_found'),
    );
  });

  it("an intern's own key (404) before acting member and capability (403)", async () => {
    const { id } = (await create({ name: 'ab' })).json;
    await forbidInterns();
    const own = await stage.keyOf(me, { keyClass: 'intern', internId: id });
    expect((await own.post('/interns', { json: {} })).json).toEqual(refusal(404, 'not_found'));
  });

  it('acting member before capability (both 403), before content type (415)', async () => {
    await forbidInterns();
    const nobody = await stage.keyOf(me, { keyClass: 'standard', creatorUserId: null });
    expect((await nobody.post('/interns', { body: 'x', headers: text })).json).toEqual(refusal(403, 'no_acting_user'));
    expect((await me.api.post('/interns', { body: 'x', headers: text })).json).toEqual(
      refusal(403, 'workspace_capability_unavailable'),
    );
  });

  it('content type (415) before size (413)', async () => {
    expect((await me.api.post('/interns', { body: TOO_LARGE, headers: text })).json).toEqual(
      refusal(415, 'unsupported_media_type'),
    );
    expect((await me.api.post('/interns', { body: '{}', headers: { ...text, 'idempotency-key': '' } })).json).toEqual(
      refusal(415, 'unsupported_media_type'),
    );
  });

  it('size (413) before Idempotency-Key (400)', async () => {
    expect(
      (await me.api.post('/interns', { body: TOO_LARGE, headers: { ...json, 'idempotency-key': '' } })).json,
    ).toEqual(refusal(413, 'payload_too_large'));
  });

  it('Idempotency-Key (400) before body (400), also before an empty body', async () => {
    for (const body of ['', '{', '{}']) {
      expect((await me.api.post('/interns', { body, headers: { ...json, 'idempotency-key': '' } })).json).toEqual(
        refusal(400, 'invalid_body', expect.stringContaining('Idempotency-Key')),
      );
    }
  });

  it('body (400) before workspace (400), before idempotency (409)', async () => {
    await create({ name: 'ab' }, { 'idempotency-key': 'k' });
    const elsewhere = { workspace_id: randomUUID() };
    expect((await create({ name: 'A', ...elsewhere }, { 'idempotency-key': 'k' })).json).toEqual(
      refusal(400, 'invalid_body', expect.stringContaining('name')),
    );
    expect((await create({ name: 'cd', ...elsewhere }, { 'idempotency-key': 'k' })).json).toEqual(
      refusal(400, 'invalid_body', expect.stringContaining('workspace_id')),
    );
  });

  it('idempotency (409) before name (409), before limit (409), before vault (409)', async () => {
    await create({ name: 'ab' }, { 'idempotency-key': 'k' });
    await create({ name: 'cd' });
    const taken = { name: 'cd', vault_id: randomUUID() };
    expect((await create(taken, { 'idempotency-key': 'k' })).json).toEqual(refusal(409, 'idempotency_key_reused'));
    expect((await create(taken)).json).toEqual(refusal(409, 'name_taken'));
    expect((await create({ name: 'ef', vault_id: randomUUID() })).json).toEqual(refusal(409, 'intern_limit_reached'));
    expect((await create({ name: 'ab' }, { 'idempotency-key': 'k' })).status).toBe(200);
  });
});

describe('POST /interns: the order of its checks while lifecycle writes are switched off', () => {
  it('writes switched off (404) before acting member and capability (403)', async () => {
    const stage = await startInternsStage({
      env: { INTERN_RUNTIME: 'none', INTERN_WRITES_ENABLED: 'false', REGIONAL_HOSTNAMES: REGIONAL },
    });
    try {
      const me = await stage.member();
      const nobody = await stage.keyOf(me, { keyClass: 'standard', creatorUserId: null });
      expect((await nobody.post('/interns', { json: {} })).json).toEqual(refusal(404, 'not_found'));
      await stage.sql.query('update workspace set interns_allowed = false where id = $1', [me.workspaceId]);
      expect((await me.api.post('/interns', { json: {} })).json).toEqual(refusal(404, 'not_found'));
    } finally {
      await stage.stop();
    }
  });
});

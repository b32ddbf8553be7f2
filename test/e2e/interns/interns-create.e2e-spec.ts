import { statusOnHost } from '../../support/interns/intern-requests.js';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';

const FIELDS = [
  'attached_vault_id',
  'created_at',
  'description',
  'hostname',
  'id',
  'instructions',
  'last_failure_message',
  'model',
  'name',
  'progress',
  'status',
  'updated_at',
  'vault_id',
  'workspace_id',
];

describe('POST /interns (specification, "create an intern")', () => {
  let stage: InternsStage;
  let me: Member;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { REGIONAL_HOSTNAMES: 'eu.gateway.example, us.gateway.example' } });
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    me = await stage.member();
  });
  const create = (json: unknown, headers?: Record<string, string>) => me.api.post('/interns', { json, headers });

  it('returns 201 and the intern with all fields, and creates its private vault (rules 1 and 3)', async () => {
    const made = await create({ name: 'night-watch', description: 'Watches.', instructions: 'Watch the night.' });

    expect(made.status).toBe(201);
    expect(Object.keys(made.json).toSorted()).toEqual(FIELDS);
    expect(made.json).toMatchObject({
      name: 'night-watch',
      description: 'Watches.',
      instructions: 'Watch the night.',
      model: null,
      status: 'stopped',
      last_failure_message: null,
      progress: null,
      hostname: null,
      workspace_id: me.workspaceId,
      attached_vault_id: null,
    });
    const [vault] = await stage.sql.query<{ intern_id: string }>('select intern_id from vault where id = $1', [
      made.json.vault_id,
    ]);
    expect(vault!.intern_id).toBe(made.json.id);
    expect((await me.api.get(`/interns/${made.json.id}`)).json).toEqual(made.json);
  });

  it('treats omitted members like members that are null', async () => {
    const absent = await create({ name: 'absent' });
    const given = await create({
      name: 'given',
      description: null,
      instructions: null,
      provision: false,
      workspace_id: me.workspaceId,
    });
    for (const { status, json } of [absent, given]) {
      expect(status).toBe(201);
      expect(json).toMatchObject({ description: null, instructions: null, model: null });
    }
  });

  it('starts provisioning if provision is true: the status is queued, provisioning or running', async () => {
    const { json, status } = await create({ name: 'eager', provision: true });
    expect([status, ['queued', 'provisioning', 'running']]).toEqual([201, expect.arrayContaining([json.status])]);
  });

  describe('permissions', () => {
    it('returns 401 without metadata for a management key, an unknown key and no key', async () => {
      const management = await stage.keyOf(me, { keyClass: 'management' });
      for (const answer of [
        await management.post('/interns', { json: { name: 'ab' } }),
        await me.api.post('/interns', { key: null, json: {} }),
        await me.api.post('/interns', { key: 'unknown', json: {} }),
      ]) {
        expect(answer.status).toBe(401);
        expect(answer.json).toEqual({ error: { code: 401, message: expect.any(String) } });
      }
    });

    it('returns 403 no_acting_user for a key without an acting member', async () => {
      const api = await stage.keyOf(me, { keyClass: 'standard', creatorUserId: null });
      expect((await api.post('/interns', { json: {} })).json).toEqual(refusal(403, 'no_acting_user', false));
    });

    it('returns 403 workspace_capability_unavailable if the workspace does not allow interns', async () => {
      await stage.sql.query('update workspace set interns_allowed = false where id = $1', [me.workspaceId]);
      expect((await create({})).json).toEqual(refusal(403, 'workspace_capability_unavailable', false));
    });

    it('returns 404 outside the programme, for any body', async () => {
      const outside = await stage.member({ inProgramme: false });
      for (const request of [
        { json: { name: 'ab' } },
        { body: 'x'.repeat(2_000_000), headers: { 'content-type': 'text/plain', 'idempotency-key': '' } },
        {},
      ]) {
        expect((await outside.api.post('/interns', request)).json).toEqual(refusal(404, 'not_found', false));
      }
    });

    it("returns 404 for an intern's own key, which may only read its own intern (rule 7)", async () => {
      const [mine, other] = [(await create({ name: 'mine' })).json.id, (await create({ name: 'other' })).json.id];
      const own = await stage.keyOf(me, { keyClass: 'intern', internId: mine });
      expect((await own.get(`/interns/${mine}`)).status).toBe(200);
      for (const answer of [
        await own.post('/interns', { json: { name: 'ab' } }),
        await own.get('/interns'),
        await own.get(`/interns/${other}`),
        await own.patch(`/interns/${mine}`, { json: {} }),
        await own.delete(`/interns/${mine}`),
      ]) {
        expect(answer.json).toEqual(refusal(404, 'not_found', false));
      }
    });

    it('allows 1,000 interns per member by default, and returns 409 intern_limit_reached for one more', async () => {
      await stage.sql.query(
        `insert into intern (id, account_id, workspace_id, creator_user_id, name, status, loss_acknowledged,
           fence, attempts, created_at, updated_at)
         select gen_random_uuid(), $1, $2, $3, 'intern-' || n, 'stopped', false, 0, 0, now(), now()
           from generate_series(1, 999) n`,
        [me.accountId, me.workspaceId, me.userId],
      );
      expect((await create({ name: 'last' })).status).toBe(201);
      expect((await create({ name: 'one-more' })).json).toEqual(refusal(409, 'intern_limit_reached', false));
    });

    it('returns 403 without metadata on a regional hostname, before the programme is checked (rule 6)', async () => {
      const outside = await stage.member({ inProgramme: false });
      for (const host of ['eu.gateway.example', 'US.Gateway.Example:443', 'eu.gateway.example.']) {
        expect(await statusOnHost(stage, outside, host)).toEqual([403, { error: { code: 403, message: 'Forbidden' } }]);
      }
      expect((await statusOnHost(stage, outside, 'gateway.example'))[0]).toBe(404);
    });
  });
});

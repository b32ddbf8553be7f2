import { randomUUID } from 'node:crypto';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';

/** The life cycle as callers observe it. The worker is switched off, so that the test sets every status. */
describe('the other operations of the interns group (docs/api-rules.md, section 10)', () => {
  let stage: InternsStage;
  let me: Member;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { INTERN_RUNTIME: 'none', INTERN_LIMIT_PER_MEMBER: '50' } });
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    me = await stage.member();
  });
  const createIntern = async (name = 'ab', fields: object = {}): Promise<string> =>
    (await me.api.post('/interns', { json: { name, ...fields } })).json.id;
  const setStatus = (id: string, status: string) =>
    stage.sql.query('update intern set status = $2 where id = $1', [id, status]);

  it.each(['get', 'patch', 'delete'] as const)(
    '%s returns 404 for an unknown or malformed id, and for an intern of another member',
    async (method) => {
      const id = await createIntern();
      const stranger = await stage.member({ accountOf: me });
      for (const path of [randomUUID(), 'x', `${id}x`])
        expect((await me.api[method](`/interns/${path}`, method === 'patch' ? { json: {} } : {})).json).toEqual(
          refusal(404, 'not_found'),
        );
      expect((await stranger.api[method](`/interns/${id}`, method === 'patch' ? { json: {} } : {})).status).toBe(404);
    },
  );

  describe('PATCH /interns/{id}', () => {
    it('changes given members, keeps omitted members, and clears members that are null', async () => {
      const id = await createIntern('ab', { description: 'd', instructions: 'i' });
      expect(
        (await me.api.patch(`/interns/${id}`, { json: { name: 'cd', model: 'builtin/eliza' } })).json,
      ).toMatchObject({ name: 'cd', description: 'd', instructions: 'i', model: 'builtin/eliza' });
      expect(
        (await me.api.patch(`/interns/${id}`, { json: { description: null, instructions: null, model: null } })).json,
      ).toMatchObject({ name: 'cd', description: null, instructions: null, model: null });
      expect((await me.api.patch(`/interns/${id}`, { json: {} })).status).toBe(200);
    });

    it.each([
      { name: null },
      { name: 'A' },
      { model: 'x' },
      { model: '' },
      { model: `a/${'b'.repeat(200)}` },
      { provision: true },
      { vault_id: randomUUID() },
      { description: 'x'.repeat(2_001) },
    ])('returns 400 for %j', async (json) => {
      expect((await me.api.patch(`/interns/${await createIntern()}`, { json })).json).toEqual(
        refusal(400, 'invalid_body'),
      );
    });

    it('returns 409 name_taken, 415, 413, and 409 intern_busy while the intern is being deleted', async () => {
      const [id] = [await createIntern('one'), await createIntern('two')];
      const headers = { 'content-type': 'application/json' };
      expect((await me.api.patch(`/interns/${id}`, { json: { name: 'two' } })).json).toEqual(
        refusal(409, 'name_taken'),
      );
      expect(
        (await me.api.patch(`/interns/${id}`, { body: '{}', headers: { 'content-type': 'text/plain' } })).json,
      ).toEqual(refusal(415, 'unsupported_media_type'));
      expect((await me.api.patch(`/interns/${id}`, { body: `{}${' '.repeat(1_048_576)}`, headers })).json).toEqual(
        refusal(413, 'payload_too_large'),
      );
      await me.api.delete(`/interns/${id}`);
      expect((await me.api.patch(`/interns/${id}`, { json: {} })).json).toEqual(refusal(409, 'intern_busy'));
    });
  });

  const ROWS: readonly [request: 'provision' | 'suspend' | 'delete', from: string, status: number, to: string][] = [
    ...['awaiting_chat_install', 'stopped', 'failed'].map(
      (from) => ['provision', from, 202, 'queued'] as [never, string, number, string],
    ),
    ...['queued', 'provisioning', 'running'].map(
      (from) => ['provision', from, 202, from] as [never, string, number, string],
    ),
    ...['destroying', 'destroy_failed'].map(
      (from) => ['provision', from, 409, from] as [never, string, number, string],
    ),
    ['suspend', 'running', 200, 'stopped'],
    ['suspend', 'stopped', 200, 'stopped'],
    ...['queued', 'provisioning', 'destroying', 'awaiting_chat_install', 'failed', 'destroy_failed'].map(
      (from) => ['suspend', from, 409, from] as [never, string, number, string],
    ),
    ...[
      'awaiting_chat_install',
      'queued',
      'provisioning',
      'running',
      'failed',
      'stopped',
      'destroying',
      'destroy_failed',
    ].map((from) => ['delete', from, 202, 'destroying'] as [never, string, number, string]),
  ];
  const SAID = { provision: { provisioning: true }, suspend: { suspended: true }, delete: { deleting: true } };

  it.each(ROWS)('%s of an intern that is %s returns %i and leaves the intern %s', async (request, from, status, to) => {
    const id = await createIntern();
    await setStatus(id, from);
    await stage.sql.query(`update intern set last_failure_message = 'It failed' where id = $1 and status = 'failed'`, [
      id,
    ]);
    const answer =
      request === 'delete' ? await me.api.delete(`/interns/${id}`) : await me.api.post(`/interns/${id}/${request}`);
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual(status === 409 ? refusal(409, 'intern_busy') : SAID[request]);
    expect(await me.api.get(`/interns/${id}`).then(({ json }) => [json.status, json.last_failure_message])).toEqual([
      to,
      to === 'failed' ? 'It failed' : null,
    ]);
  });

  it.each([
    'awaiting_chat_install',
    'queued',
    'provisioning',
    'running',
    'failed',
    'stopped',
    'destroying',
    'destroy_failed',
  ])('update of an intern that is %s changes its fields, or returns 409 during its deletion', async (from) => {
    const id = await createIntern();
    await setStatus(id, from);
    const answer = await me.api.patch(`/interns/${id}`, { json: { description: 'new' } });
    if (from.startsWith('destroy')) expect(answer.json).toEqual(refusal(409, 'intern_busy'));
    else expect(answer.json).toMatchObject({ description: 'new', status: from });
  });

  it.each(['provision', 'suspend'])(
    '%s returns 404 for an unknown intern, and for an intern of another member',
    async (command) => {
      const id = await createIntern();
      const stranger = await stage.member({ accountOf: me });
      for (const path of [randomUUID(), 'x'])
        expect((await me.api.post(`/interns/${path}/${command}`)).json).toEqual(refusal(404, 'not_found'));
      expect((await stranger.api.post(`/interns/${id}/${command}`)).json).toEqual(refusal(404, 'not_found'));
    },
  );

  it('only provision returns 403 workspace_capability_unavailable if interns are not allowed', async () => {
    const id = await createIntern();
    await stage.sql.query('update workspace set interns_allowed = false where id = $1', [me.workspaceId]);
    expect((await me.api.post(`/interns/${id}/provision`)).json).toEqual(
      refusal(403, 'workspace_capability_unavailable'),
    );
    for (const answer of [
      await me.api.get('/interns'),
      await me.api.get(`/interns/${id}`),
      await me.api.post(`/interns/${id}/suspend`),
      await me.api.delete(`/interns/${id}`),
    ])
      expect(answer.status).toBeLessThan(300);
  });

  it.each(['provision', 'suspend'])('%s accepts no body except an empty object', async (command) => {
    const id = await createIntern();
    expect((await me.api.post(`/interns/${id}/${command}`, { json: { now: true } })).json).toEqual(
      refusal(400, 'invalid_body'),
    );
    expect(
      (await me.api.post(`/interns/${id}/${command}`, { body: 'x', headers: { 'content-type': 'text/plain' } })).status,
    ).toBe(415);
    expect((await me.api.post(`/interns/${id}/${command}`, { json: {} })).status).toBeLessThan(300);
  });

  it('delete accepts the acknowledgement of the loss and no other field', async () => {
    const id = await createIntern();
    expect((await me.api.delete(`/interns/${id}`, { json: { force: true } })).json).toEqual(
      refusal(400, 'invalid_body'),
    );
    expect((await me.api.delete(`/interns/${id}`, { json: { acknowledge_workspace_loss: 'yes' } })).status).toBe(400);
    expect((await me.api.delete(`/interns/${id}`, { json: { acknowledge_workspace_loss: true } })).json).toEqual({
      deleting: true,
    });
  });

  it('each change of an intern is in the audit trail, with member and address', async () => {
    const id = await createIntern();
    await me.api.patch(`/interns/${id}`, { json: { name: 'cd' } });
    await me.api.post(`/interns/${id}/provision`);
    await me.api.delete(`/interns/${id}`);
    const rows = await stage.sql.query<{ action: string; user_id: string; address: string }>(
      `select action, user_id, address
       from audit_entry
       where resource_kind = 'intern' and resource_id = $1
       order by id`,
      [id],
    );
    expect(rows.map((row) => row.action)).toEqual(['create', 'update', 'provision', 'delete']);
    expect(new Set(rows.map((row) => row.user_id))).toEqual(new Set([me.userId]));
    expect(new Set(rows.map((row) => row.address))).toEqual(new Set(['127.0.0.1']));
  });
});

import type { ApiAnswer } from '../../support/api/api-client.js';
import { aByokSetting, BYOK_SECRET as SECRET, UNKNOWN_ID, type ByokSetting } from '../../support/api/byok-setting.js';
import type { TestService } from '../../support/services/test-service.js';

const ids = (answer: ApiAnswer): string[] => answer.json.data.map(({ id }: { id: string }) => id);

describe('BYOK', () => {
  let setting: ByokSetting;
  let service: TestService;
  let create: ByokSetting['create'];
  beforeAll(async () => {
    setting = await aByokSetting();
    ({ service, create } = setting);
  });
  afterAll(() => service.stop());
  afterEach(() => setting.clear());

  describe('GET /byok', () => {
    it('lists credentials in the order of use, and counts all matches on each page', async () => {
      const [a, b, c] = [await create(), await create(), await create()];
      await create({ provider: 'novita-ai', workspace_id: setting.otherWorkspaceId });
      await service.management.patch(`/byok/${c.id}`, { json: { sort_order: 0 } });
      await service.management.patch(`/byok/${a.id}`, { json: { sort_order: 7 } });

      const all = await service.management.get('/byok');
      expect(all.json).toMatchObject({ total_count: 3 });
      expect(ids(all)).toEqual([c.id, b.id, a.id]);
      const page = await service.management.get('/byok?offset=1&limit=1');
      expect({ ids: ids(page), total: page.json.total_count }).toEqual({ ids: [b.id], total: 3 });
      expect((await service.management.get('/byok?offset=3')).json).toEqual({ data: [], total_count: 3 });
    });

    it('filters by provider', async () => {
      await create();
      const novita = await create({ provider: 'novita-ai' });

      const answer = await service.management.get('/byok?provider=novita-ai');
      expect({ ids: ids(answer), total: answer.json.total_count }).toEqual({ ids: [novita.id], total: 1 });
      // A slug of the published API. This service has no such provider.
      expect((await service.management.get('/byok?provider=akashml')).json).toEqual({ data: [], total_count: 0 });
      expect((await service.management.get('/byok?provider=mistral')).json).toEqual({ data: [], total_count: 0 });
    });

    it('returns 50 credentials by default and 100 at most', async () => {
      await Promise.all(Array.from({ length: 101 }, () => create()));

      expect(ids(await service.management.get('/byok'))).toHaveLength(50);
      expect(ids(await service.management.get('/byok?limit=100'))).toHaveLength(100);
      expect((await service.management.get('/byok?limit=100')).json.total_count).toBe(101);
    });

    it('shows a management key the credentials of the given workspace, or of the default workspace', async () => {
      const here = await create();
      const there = await create({ workspace_id: setting.otherWorkspaceId });

      expect(ids(await service.management.get('/byok'))).toEqual([here.id]);
      expect(ids(await service.management.get(`/byok?workspace_id=${setting.otherWorkspaceId.toUpperCase()}`))).toEqual(
        [there.id],
      );
    });

    it('shows a standard key the credentials of its own workspace only', async () => {
      const here = await create();
      const there = await create({ workspace_id: setting.otherWorkspaceId });

      expect(ids(await service.standard.get('/byok'))).toEqual([here.id]);
      expect(ids(await setting.keyOfOther.get('/byok'))).toEqual([there.id]);
      expect(ids(await setting.keyOfOther.get(`/byok?workspace_id=${setting.otherWorkspaceId}`))).toEqual([there.id]);
      expect((await setting.keyOfOther.get(`/byok?workspace_id=${setting.workspaceId}`)).status).toBe(404);
      expect((await setting.keyOfOther.get(`/byok/${here.id}`)).status).toBe(404);
      expect((await setting.keyOfOther.get(`/byok/${there.id}`)).json.data).toEqual(there);
    });

    it('answers the same 404 for a workspace of another account and for an unknown workspace', async () => {
      await create();
      const [theirs, unknown] = [
        await setting.foreign.get(`/byok?workspace_id=${setting.workspaceId}`),
        await setting.foreign.get(`/byok?workspace_id=${UNKNOWN_ID}`),
      ];

      expect({ status: theirs.status, text: theirs.text }).toEqual({ status: 404, text: unknown.text });
      expect((await setting.foreign.get('/byok')).json).toEqual({ data: [], total_count: 0 });
    });

    it.each([
      'offset=0',
      'offset=null',
      'offset=',
      'offset=999999999999999',
      'offset=99999999999999999999',
      'limit=1',
      'limit=100',
      'unknown=1',
      'provider=cerebras',
    ])('accepts ?%s', async (query) => {
      expect((await service.standard.get(`/byok?${query}`)).status).toBe(200);
    });

    it.each([
      'offset=-1',
      'offset=1.5',
      'offset=x',
      'limit=0',
      'limit=101',
      'limit=1e1',
      'limit=1&limit=2',
      'workspace_id=',
      'workspace_id=default',
      'provider=',
      'provider=nobody',
      'provider=cerebras&provider=mistral',
    ])('answers 400 to ?%s', async (query) => {
      expect((await service.standard.get(`/byok?${query}`)).status).toBe(400);
    });
  });

  describe('GET, PATCH and DELETE /byok/{id}', () => {
    it('answer the same 404 to an unknown id, a malformed id and an id of another account', async () => {
      const made = await create();

      for (const call of ['get', 'delete'] as const) {
        const answers = [
          await service.management[call](`/byok/${UNKNOWN_ID}`),
          await service.management[call]('/byok/nothing'),
          await setting.foreign[call](`/byok/${made.id}`),
        ];
        expect(answers.map(({ status, text }) => ({ status, text }))).toEqual(
          answers.map(() => ({ status: 404, text: answers[0]!.text })),
        );
      }
      const json = { disabled: true };
      const answers = [
        await service.management.patch(`/byok/${UNKNOWN_ID}`, { json }),
        await service.management.patch('/byok/nothing', { json }),
        await setting.foreign.patch(`/byok/${made.id}`, { json }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      expect((await service.management.get(`/byok/${made.id}`)).json.data).toEqual(made);
    });

    it('allow a standard key to read, and refuse its writes with 401', async () => {
      const made = await create();

      expect((await service.standard.patch(`/byok/${made.id}`, { json: { disabled: true } })).status).toBe(401);
      expect((await service.standard.delete(`/byok/${made.id}`)).status).toBe(401);
      expect((await service.standard.get(`/byok/${made.id}`)).json.data).toEqual(made);
    });

    it('change only the members that a PATCH contains; null clears a member', async () => {
      const made = await create({ name: 'Before', allowed_models: ['a/b'] });

      const changed = await service.management.patch(`/byok/${made.id}`, {
        json: { disabled: true, is_fallback: true, sort_order: 2_147_483_647 },
      });
      expect(changed.json.data).toEqual({ ...made, disabled: true, is_fallback: true, sort_order: 2_147_483_647 });
      const cleared = await service.management.patch(`/byok/${made.id}`, {
        json: { name: null, allowed_models: null },
      });
      expect(cleared.json.data).toEqual({ ...changed.json.data, name: '', allowed_models: null });
      expect((await service.management.patch(`/byok/${made.id}`, { json: {} })).json.data).toEqual(cleared.json.data);
    });

    it.each<[string, object]>([
      ['a provider, which cannot change', { provider: 'mistral' }],
      ['a workspace, which cannot change', { workspace_id: UNKNOWN_ID }],
      ['an empty key', { key: '' }],
      ['a key that no HTTP header can carry', { key: 'sk-own\nsecret-WXYZ' }],
      ['a key that is null', { key: null }],
      ['a sort_order below 0', { sort_order: -1 }],
      ['a sort_order beyond an integer', { sort_order: 2_147_483_648 }],
      ['a sort_order that is not an integer', { sort_order: 0.5 }],
      ["a hash of nobody's key", { allowed_api_key_hashes: ['0'.repeat(64)] }],
      ['an additional property', { label: 'x' }],
    ])('answer 400 to a PATCH with %s', async (_, json) => {
      const made = await create();

      expect((await service.management.patch(`/byok/${made.id}`, { json })).status).toBe(400);
      expect((await service.management.get(`/byok/${made.id}`)).json.data).toEqual(made);
    });

    it('replace a key in place: the id stays, the label and the sealed bytes are new', async () => {
      const made = await create();
      const [before] = await service.sql.query<{ sealed: Buffer }>('select sealed from byok_credential');

      const rotated = await service.management.patch(`/byok/${made.id}`, {
        json: { key: 'pk-another-secret-of-the-caller-WxYz' },
      });
      expect(rotated.json.data).toEqual({ ...made, label: 'pk-...WxYz' });
      const [after] = await service.sql.query<{ sealed: Buffer }>('select sealed from byok_credential');
      expect(after!.sealed.equals(before!.sealed)).toBe(false);
    });

    it('delete the sealed key of a credential, and the data key of a workspace with its last credential', async () => {
      const [one, two] = [await create(), await create()];

      expect((await service.management.delete(`/byok/${one.id}`)).json).toEqual({ deleted: true });
      expect((await service.management.delete(`/byok/${one.id}`)).status).toBe(404);
      expect(await service.sql.query('select 1 from workspace_data_key')).toHaveLength(1);
      expect((await service.management.delete(`/byok/${two.id}`)).json).toEqual({ deleted: true });
      expect(
        await service.sql.query(
          'select 1 from workspace_data_key union all select 1 from data_key union all select 1 from byok_credential',
        ),
      ).toEqual([]);
      await create();
    });

    it('write an audit row for each write, without the secret', async () => {
      const made = await create();
      await service.management.patch(`/byok/${made.id}`, { json: { disabled: true } });
      await service.management.patch(`/byok/${made.id}`, { json: { key: SECRET } });
      await service.management.delete(`/byok/${made.id}`);

      const rows = await service.sql.query<{ action: string; text: string }>(
        `select action, audit_entry::text as text
         from audit_entry
         where resource_kind = 'byok_credential' and resource_id = $1
         order by id`,
        [made.id],
      );
      expect(rows.map(({ action }) => action)).toEqual(['create', 'update', 'rotate', 'delete']);
      expect(rows.some(({ text }) => text.includes(SECRET))).toBe(false);
    });

    it('must delete the credentials of a workspace before the workspace can be deleted', async () => {
      const made = await create({ workspace_id: setting.otherWorkspaceId });
      await service.sql.query('update api_key set deleted_at = now() where workspace_id = $1', [
        setting.otherWorkspaceId,
      ]);

      const refused = await service.management.delete(`/workspaces/${setting.otherWorkspaceId}`);
      expect({ status: refused.status, message: refused.json.error.message }).toEqual({
        status: 400,
        message: 'The workspace is not empty. Delete first what is left in it: provider credentials (1)',
      });
      await service.management.delete(`/byok/${made.id}`);
      expect((await service.management.delete(`/workspaces/${setting.otherWorkspaceId}`)).status).toBe(200);
      expect(
        (
          await service.management.post('/byok', {
            json: { provider: 'cerebras', key: SECRET, workspace_id: setting.otherWorkspaceId },
          })
        ).status,
      ).toBe(400);
    });
  });
});

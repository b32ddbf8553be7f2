import { randomUUID } from 'node:crypto';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';

describe('POST /interns: one request, one intern (specification, rules 2 to 5)', () => {
  let stage: InternsStage;
  let me: Member;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { INTERN_RUNTIME: 'none', INTERN_LIMIT_PER_MEMBER: '10' } });
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    me = await stage.member();
  });
  const create = (json: unknown, headers?: Record<string, string>) => me.api.post('/interns', { json, headers });

  describe('with a conflict', () => {
    it('returns 409 name_taken for a name that the creator already uses in the workspace (rule 5)', async () => {
      await create({ name: 'ab' });
      expect((await create({ name: 'ab', description: 'x' })).json).toEqual(refusal(409, 'name_taken', false));
    });

    it('checks the name, then the limit of ten interns (409 intern_limit_reached), then the vault', async () => {
      for (let n = 0; n < 10; n++) expect((await create({ name: `intern-${n}` })).status).toBe(201);
      expect((await create({ name: 'eleventh', vault_id: randomUUID() })).json).toEqual(
        refusal(409, 'intern_limit_reached', false),
      );
      expect((await create({ name: 'intern-1', description: 'x' })).json).toEqual(refusal(409, 'name_taken', false));
    });

    it('gives a name to one of several simultaneous requests, and does not exceed the limit', async () => {
      const alike = await Promise.all(
        Array.from({ length: 8 }, (_, n) => create({ name: 'ab' }, { 'idempotency-key': `k${n}` })),
      );
      expect(alike.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const { status, json } of alike) if (status !== 201) expect(json).toEqual(refusal(409, 'name_taken', false));
      const many = await Promise.all(Array.from({ length: 20 }, (_, n) => create({ name: `intern-${n}` })));
      expect(many.filter(({ status }) => status === 201)).toHaveLength(9);
      for (const { status, json } of many)
        if (status !== 201) expect(json).toEqual(refusal(409, 'intern_limit_reached', false));
    });

    it('attaches only vaults of interns of the workspace, and otherwise returns 409 vault_not_attachable', async () => {
      const lender = await create({ name: 'lender' });
      const borrower = await create({ name: 'borrower', vault_id: lender.json.vault_id.toUpperCase() });
      expect(borrower.json).toMatchObject({ attached_vault_id: lender.json.vault_id });
      expect(borrower.json.vault_id).not.toBe(lender.json.vault_id);
      const stranger = await stage.member();
      const foreign = (await stranger.api.post('/interns', { json: { name: 'foreign' } })).json.vault_id;
      await me.api.put('/vault/secrets/token', { json: { value: 'x', hosts: ['a.example'] } });
      const [shared] = await stage.sql.query<{ id: string }>(
        'select id from vault where workspace_id = $1 and intern_id is null',
        [me.workspaceId],
      );
      for (const vaultId of [foreign, randomUUID(), shared!.id]) {
        expect((await create({ name: 'refused', vault_id: vaultId })).json).toEqual(
          refusal(409, 'vault_not_attachable', false),
        );
      }
    });
  });
});

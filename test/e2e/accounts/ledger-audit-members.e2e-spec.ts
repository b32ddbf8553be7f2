import { randomUUID } from 'node:crypto';
import { Balances } from '../../../src/billing/balances.js';
import { makeKey } from '../../support/api/api-builders.js';
import { makeMember } from '../../support/money/account-builders.js';
import { makeSecondAccount, type SecondAccount } from '../../support/money/second-account.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const SPEECH = { json: { model: 'builtin/flite', voice: 'slt', input: 'Hi' } };

describe('the lists of an account:', () => {
  let service: TestService;
  let second: SecondAccount;
  beforeAll(async () => {
    service = await startTestService();
    second = await makeSecondAccount(service);
  });
  afterAll(() => service.stop());
  const get = async (path: string) => {
    const { status, json } = await service.management.get(path);
    expect([path, status]).toEqual([path, 200]);
    return json;
  };
  /** Reads all pages of a list. */
  const everyPage = async (path: string): Promise<Record<string, unknown>[]> => {
    const rows: Record<string, unknown>[] = [];
    for (let cursor = ''; ;) {
      const json = await get(`${path}${cursor}`);
      rows.push(...json.data);
      expect(json.has_more).toBe(json.next_cursor !== null);
      if (!json.has_more) return rows;
      cursor = `&cursor=${json.next_cursor}`;
    }
  };
  const foreign = () => service.as(second.managementKey);

  describe('GET /ledger', () => {
    let call: string;
    let hash: string;
    beforeAll(async () => {
      const [account] = await service.sql.query<{ no: number }>('select min(no) as no from account');
      const grant = (kind: 'grant' | 'correction' | 'refund', amount: bigint) =>
        service.app.get(Balances, { strict: false }).grant({
          accountNo: account!.no,
          amount,
          kind,
          reason: `A ${kind}`,
          idempotencyId: randomUUID(),
        });
      await grant('grant', 3_000_000_000n);
      const made = await makeKey(service.management);
      hash = made.hash;
      call = (await service.as(made.key).post('/audio/speech', SPEECH)).headers.get('x-generation-id')!;
      await grant('correction', -1_000_000_001n);
      await grant('refund', 1n);
    });

    it('returns every entry, the newest first, and a balance that is the sum of all entries', async () => {
      const json = await get('/ledger');
      expect(json.data.map(({ kind }: { kind: string }) => kind)).toEqual([
        'refund',
        'correction',
        'generation',
        'grant',
        'grant',
      ]);
      expect(json.data[1]).toMatchObject({ amount: -1.000000001, reason: 'A correction', generation_id: null });
      expect(json.data[2]).toEqual({
        id: expect.stringMatching(/^\d+$/),
        created_at: expect.any(String),
        kind: 'generation',
        amount: -0.000002,
        reason: null,
        idempotency_id: null,
        generation_id: call,
        api_key_hash: hash,
      });
      const nano = json.data.reduce((sum: number, { amount }: { amount: number }) => sum + Math.round(amount * 1e9), 0);
      expect(Math.round(json.balance * 1e9)).toBe(nano);
      const { total_credits: granted, total_usage: used } = (await get('/credits')).data;
      expect(json.balance).toBeCloseTo(granted - used, 9);
      expect(Date.parse(json.as_of)).toBeGreaterThan(Date.parse('2026-01-01'));
    });

    it('applies the filters of the query, and returns all entries page by page', async () => {
      const all = await everyPage('/ledger?limit=500');
      expect(await everyPage('/ledger?limit=1')).toEqual(all);
      expect(await everyPage('/ledger?limit=2')).toEqual(all);
      for (const kind of ['generation', 'grant', 'refund', 'correction'])
        expect(await everyPage(`/ledger?limit=1&kind=${kind}`)).toEqual(all.filter((entry) => entry['kind'] === kind));
      expect((await get(`/ledger?generation_id=${call}`)).data).toEqual([all[2]]);
      const ofKey = all.filter((entry) => entry['api_key_hash'] === hash);
      expect(ofKey).toEqual([all[2]]);
      expect(await everyPage(`/ledger?limit=1&api_key_hash=${hash}`)).toEqual(ofKey);
      const { hash: unused } = await makeKey(service.management);
      expect((await get(`/ledger?api_key_hash=${unused}`)).data).toEqual([]);
      const at = encodeURIComponent(all[2]!['created_at'] as string);
      expect((await get(`/ledger?start=${at}`)).data).toEqual(all.slice(0, 3));
      expect((await get(`/ledger?end=${at}`)).data).toEqual(all.slice(3));
    });

    it('returns no entries of other accounts, and refuses standard keys', async () => {
      const { json } = await foreign().get(`/ledger?generation_id=${call}`);
      expect(json).toMatchObject({ data: [], balance: 0, has_more: false });
      expect((await service.standard.get('/ledger')).status).toBe(403);
      expect((await service.management.get('/ledger?generation_id=gen-x')).status).toBe(404);
      expect((await foreign().get(`/ledger?api_key_hash=${hash}`)).status).toBe(404);
      expect((await service.management.get('/ledger?api_key_hash=none')).status).toBe(404);
    });

    it.each(['limit=0', 'limit=501', 'cursor=x', 'kind=other', 'start=x'])('answers 400 to %s', async (query) => {
      expect((await service.management.get(`/ledger?${query}`)).status).toBe(400);
    });
  });

  describe('GET /audit', () => {
    it('returns each operation with its actor and address, without the values of the request', async () => {
      const { hash } = await makeKey(service.management, { name: 'a name that stays out' });
      await service.management.patch(`/keys/${hash}`, { json: { name: 'another name' } });
      const json = await get(`/audit?kind=api_key&id=${hash}`);
      const [managementKey] = await service.sql.query<{ hash: string; creator_user_id: string }>(
        `select hash, creator_user_id from api_key where name = 'Bootstrap management key'`,
      );
      expect(json.data).toEqual([
        expect.objectContaining({ action: 'update', kind: 'api_key', id: hash }),
        {
          entry_id: expect.stringMatching(/^\d+$/),
          at: expect.any(String),
          actor: 'key',
          api_key_hash: managementKey!.hash,
          user_id: managementKey!.creator_user_id,
          action: 'create',
          kind: 'api_key',
          id: hash,
          address: '127.0.0.1',
          role: null,
          request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      ]);
      expect(JSON.stringify(json)).not.toContain('name');
    });

    it('applies the filters of the query, and returns all entries page by page', async () => {
      for (let index = 0; index < 3; index++) await makeKey(service.management);
      const all = await everyPage('/audit?limit=500');
      expect(all.length).toBeGreaterThan(4);
      expect(await everyPage('/audit?limit=2')).toEqual(all);
      const { api_key_hash: keyHash, user_id: userId } = all[0]! as Record<string, string>;
      const matching = async (query: string): Promise<unknown> => everyPage(`/audit?limit=500&${query}`);
      expect(await matching('action=update')).toEqual(all.filter(({ action }) => action === 'update'));
      expect(await matching('actor=operator')).toEqual(all.filter(({ actor }) => actor === 'operator'));
      expect(await matching(`api_key_hash=${keyHash}&user_id=${userId}&actor=key`)).toEqual(
        all.filter((entry) => entry['api_key_hash'] === keyHash),
      );
      expect(await matching(`user_id=${randomUUID()}`)).toEqual([]);
      const at = encodeURIComponent(all[1]!['at'] as string);
      expect(await matching(`end=${at}`)).toEqual(all.filter((entry) => String(entry['at']) < String(all[1]!['at'])));
      expect(await matching(`start=${at}`)).toEqual(
        all.filter((entry) => String(entry['at']) >= String(all[1]!['at'])),
      );
    });

    it('returns no entries of other accounts, and refuses standard keys', async () => {
      expect((await foreign().get('/audit')).json).toEqual({ data: [], has_more: false, next_cursor: null });
      expect((await service.standard.get('/audit')).status).toBe(403);
    });

    it.each(['limit=0', 'cursor=x', 'action=other', 'actor=nobody', 'user_id=x', 'kind=%00'])(
      'answers 400 to %s',
      async (query) => {
        expect((await service.management.get(`/audit?${query}`)).status).toBe(400);
      },
    );
  });

  describe('GET /members', () => {
    it('returns the users of the account with their roles and programmes, oldest first, page by page', async () => {
      const [workspace] = (await get('/workspaces')).data as { id: string }[];
      const [account] = await service.sql.query<{ id: string }>('select id from account order by no limit 1');
      const place = { accountId: account!.id, workspaceId: workspace!.id };
      const userId = await makeMember(service, place, { name: 'Zoe', inProgramme: false });
      const json = await get('/members');
      expect(json.total_count).toBe(2);
      expect(json.data).toEqual([
        expect.objectContaining({ name: 'Owner', email: null, role: 'owner', in_interns_programme: true }),
        {
          user_id: userId,
          name: 'Zoe',
          email: null,
          role: 'developer',
          role_source: 'manual',
          in_interns_programme: false,
          created_at: expect.any(String),
          deactivated_at: null,
        },
      ]);
      expect(await get('/members?limit=1&offset=1')).toEqual({ data: [json.data[1]], total_count: 2 });
      const { data, total_count: total } = (await foreign().get('/members')).json;
      expect([total, data[0].user_id]).toEqual([1, second.userId]);
      expect((await service.standard.get('/members')).status).toBe(403);
      expect((await service.management.get('/members?limit=501')).status).toBe(400);
    });
  });
});

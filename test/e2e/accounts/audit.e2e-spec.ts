import { EntityManager } from '@mikro-orm/postgresql';
import { sessionOf } from '../../../src/database/session-of.js';
import { makeKey } from '../../support/api/api-builders.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const COLUMNS = 'actor, account_id, key_hash, user_id, action, resource_kind, resource_id, address, request_id';

describe('the audit record', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { LOG_LEVEL: 'silent' } });
  });
  afterAll(() => service.stop());
  const newest = async (): Promise<Record<string, unknown>> =>
    (
      await service.sql.query<Record<string, unknown>>(`select ${COLUMNS} from audit_entry order by id desc limit 1`)
    )[0]!;

  it('records who did what, from which address and under which request id', async () => {
    const created = await service.management.post('/keys', { json: { name: 'Audited' } });

    const [maker] = await service.sql.query<{ hash: string; account_id: string; creator_user_id: string }>(
      `select hash, account_id, creator_user_id from api_key where key_class = 'management'`,
    );
    expect(await newest()).toEqual({
      actor: 'key',
      account_id: maker!.account_id,
      key_hash: maker!.hash,
      user_id: maker!.creator_user_id,
      action: 'create',
      resource_kind: 'api_key',
      resource_id: created.json.data.hash,
      address: '127.0.0.1',
      request_id: created.headers.get('x-request-id'),
    });
  });

  it('contains an X-Request-Id of the caller only if it is a UUID', async () => {
    const id = '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee';

    expect(
      (await service.management.post('/keys', { json: { name: 'a' }, headers: { 'x-request-id': id } })).headers.get(
        'x-request-id',
      ),
    ).toBe(id);
    expect((await newest())['request_id']).toBe(id);
    const other = await service.management.post('/keys', {
      json: { name: 'a' },
      headers: { 'x-request-id': 'sk-secret' },
    });
    expect(other.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect((await newest())['request_id']).toBe(other.headers.get('x-request-id'));
  });

  it('is append-only: the database refuses update, delete and truncate', async () => {
    await makeKey(service.management, { name: 'b' });

    const refused = { code: '42501', message: expect.stringMatching(/append-only/) };
    await expect(service.sql.query(`update audit_entry set actor = 'operator'`)).rejects.toMatchObject(refused);
    await expect(service.sql.query('delete from audit_entry')).rejects.toMatchObject(refused);
    await expect(service.sql.query('truncate audit_entry')).rejects.toMatchObject(refused);
  });

  it('makes an operation fail if the audit row of the operation cannot be written', async () => {
    await service.sql.query('alter table audit_entry rename to audit_entry_away');
    try {
      const before = await service.sql.query('select hash from api_key');
      const answer = await service.management.post('/keys', { json: { name: 'Unaudited' } });

      expect(answer.status).toBe(500);
      expect(await service.sql.query('select hash from api_key')).toEqual(before);
    } finally {
      await service.sql.query('alter table audit_entry_away rename to audit_entry');
    }
    await makeKey(service.management, { name: 'Audited again' });
  });

  it('uses the SQL session of the ORM transaction, and fails outside a transaction', async () => {
    const em = service.app.get(EntityManager, { strict: false }).fork();
    const outside = service.sql;

    await em.transactional(async (tx) => {
      const session = sessionOf(tx);
      expect(await session.query(`select $1::int as one, $2::text as two`, [1, "it's"])).toEqual([
        { one: 1, two: "it's" },
      ]);
      const [{ inside }] = (await session.query<{ inside: string }>('select pg_current_xact_id()::text as inside')) as [
        { inside: string },
      ];
      const [{ other }] = (await outside.query<{ other: string }>('select pg_current_xact_id()::text as other')) as [
        { other: string },
      ];
      expect(inside).not.toBe(other);
      expect(await session.query('select pg_current_xact_id()::text as inside')).toEqual([{ inside }]);
    });
    expect(() => sessionOf(em)).toThrow(/needs a transaction/);
  });
});

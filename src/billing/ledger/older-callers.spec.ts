import { aGenerationRecord } from '../../../test/support/calls/generation-record.js';
import { insertAccount, insertKey } from '../../../test/support/database/row-builders.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { generationDetail } from '../../usage/generation-detail.js';
import { compositeArrayText } from './composite-text.js';

const LEASE_MS = 30_000;
const AT = '2026-11-23T12:00:00.000Z';
const RECORD = aGenerationRecord();
const DETAIL = generationDetail({ sessionId: 'session-1', attempts: [{ provider: 'a', status: 200, latencyMs: 1 }] });

describe('a replica of an older version, while a newer one has migrated', () => {
  let database: TestDatabase;
  let sql: Sql;
  let accountNo: number;
  let keyNo: number;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 1);
    const account = await insertAccount(sql, { granted: 100 });
    accountNo = account.no;
    keyNo = (await insertKey(sql, account)).no;
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  /** As the older version sends reservations: two make a batch. */
  const reserve = async (amount: number): Promise<{ ids: string[]; refused: object[] }> => {
    const ids = [newId(), newId()];
    const items = ids.map((r) => ({
      r,
      g: newId(),
      a: accountNo,
      k: keyNo,
      p: null,
      aa: `${amount}`,
      ka: `${amount}`,
      pa: '0',
      t: AT,
    }));
    const refused = await sql.query<{ r: string; outcome: string }>(
      `select * from ledger_reserve($1, $2) where outcome <> 'reserved'`,
      [LEASE_MS, JSON.stringify(items)],
    );
    return { ids, refused };
  };
  const stored = async (): Promise<unknown> =>
    (
      await sql.query<{ state: unknown }>(
        `select jsonb_build_array(b.spent, b.reserved, (select count(*) from generation where account_no = $1),
           (select count(*) from generation_detail where session_id = 'session-1'),
           (select count(*) from outbox_call)) as state
         from account_balance b where b.account_no = $1`,
        [accountNo],
      )
    )[0]!.state;

  it('reserves and settles with the calls of its version', async () => {
    const { ids, refused } = await reserve(10);
    expect(refused).toEqual([]);
    const items = ids.map((r, at) => ({
      r,
      a: accountNo,
      k: keyNo,
      s: true,
      c: '3',
      b: '0',
      g: RECORD,
      d: at === 0 ? DETAIL : undefined,
    }));
    expect(await sql.query(`select * from ledger_finish($1) where outcome <> 'done'`, [JSON.stringify(items)])).toEqual(
      [],
    );
    expect(await stored()).toEqual([6, 0, 2, 1, 2]);

    const [first, second] = (await reserve(20)).ids;
    const one = 'select ledger_finish_one($1, $2, $3, $4, $5, $6, $7) as outcome';
    const withDetail = 'select ledger_finish_one($1, $2, $3, $4, $5, $6, $7, $8) as outcome';
    const values = [accountNo, keyNo, true, 5n, 0n, JSON.stringify(RECORD)];
    expect(await sql.query(one, [first, ...values])).toEqual([{ outcome: 'done' }]);
    expect(await sql.query(withDetail, [second, ...values, JSON.stringify(DETAIL)])).toEqual([{ outcome: 'done' }]);
    expect(await stored()).toEqual([16, 0, 4, 2, 4]);

    const { ids: left, refused: tooMuch } = await reserve(50);
    expect(tooMuch).toEqual([{ r: left[1], outcome: 'insufficient_credits 34' }]);
    expect(await sql.query(one, [left[0], accountNo, keyNo, false, 0n, 0n, null])).toEqual([{ outcome: 'done' }]);
    expect(await stored()).toEqual([16, 0, 4, 2, 4]);
  });

  it('reserves with the calls of the version that sent no timeout', async () => {
    const [id, second] = [newId(), newId()];
    const one = 'select ledger_reserve_one($1, $2, $3, $4, $5, $6, $7, $8) as outcome';
    expect(await sql.query(one, [LEASE_MS, id, newId(), accountNo, keyNo, 10n, 10n, AT])).toEqual([
      { outcome: 'reserved' },
    ]);
    const batch = compositeArrayText([[second, newId(), accountNo, keyNo, null, 80n, 80n, 0n, AT, id]]);
    expect(await sql.query('select * from ledger_reserve_batch($1, $2)', [LEASE_MS, batch])).toEqual([
      { r: second, outcome: 'reserved' },
    ]);
    expect(await stored()).toEqual([16, 80, 4, 2, 4]);
    expect(await sql.query(one, [LEASE_MS, newId(), newId(), accountNo, keyNo, 5n, 5n, AT])).toEqual([
      { outcome: 'insufficient_credits 4' },
    ]);
    const release = 'select ledger_finish_one($1, $2, $3, $4, $5, $6, $7) as outcome';
    expect(await sql.query(release, [second, accountNo, keyNo, false, 0n, 0n, null])).toEqual([{ outcome: 'done' }]);
  });

  it('records calls that cost nothing with the call of its version', async () => {
    const items = [{ r: newId(), a: accountNo, k: keyNo, p: null, t: AT, g: RECORD, d: DETAIL }];
    expect(
      await sql.query(`select * from ledger_record_free($1) where outcome <> 'done'`, [JSON.stringify(items)]),
    ).toEqual([]);
    expect(await stored()).toEqual([16, 0, 5, 3, 5]);
  });
});

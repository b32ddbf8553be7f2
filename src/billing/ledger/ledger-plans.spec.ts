import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { Ledger, type ReservationRequest } from './ledger.js';

const NOON = new Date('2026-11-21T12:00:00Z');

/**
 * The index of the open reservations keeps an entry of every reservation that was closed since the last vacuum. A plan that
 * looks for one reservation there reads all of them, the more the longer the service is under load.
 */
describe("the ledger's plans", () => {
  let database: TestDatabase;
  let sql: Sql;
  let ledger: Ledger;
  let payer: { accountNo: number; keyNo: number };
  beforeAll(async () => {
    database = await createTestDatabase();
    // One connection, made while the tables are empty: that is when plans are made that last.
    sql = new Sql(database.url, 1);
    ledger = new Ledger(sql);
    const [account] = await sql.query<{ no: number; id: string }>(
      `insert into account (id, name, created_at) values ($1, 'a', now()) returning no, id`,
      [newId()],
    );
    await sql.query('update account_balance set granted = 1000000000 where account_no = $1', [account!.no]);
    const [key] = await sql.query<{ no: number }>(
      `insert into api_key (hash, account_id, workspace_id, key_class, name, label, disabled, include_byok_in_limit, created_at)
       values (md5('a') || md5('b'), $1, $1, 'standard', 'k', 'k', false, false, now()) returning no`,
      [account!.id],
    );
    payer = { accountNo: account!.no, keyNo: key!.no };
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  const request = (more: Partial<ReservationRequest> = {}): ReservationRequest => ({
    id: newId(),
    generationId: newId(),
    ...payer,
    accountAmount: 10n,
    keyAmount: 10n,
    deadline: new Date(NOON.getTime() + 600_000),
    ...more,
  });
  const finish = ({ id }: ReservationRequest): Promise<string> =>
    ledger.finish({ reservationId: id, ...payer, settle: true, cost: 1n, byokCost: 0n, record: null });
  const readsOf = async (index: string): Promise<number> => {
    await sql.query('select pg_stat_force_next_flush()');
    return Number(
      (
        await sql.query<{ idx_scan: bigint }>('select idx_scan from pg_stat_user_indexes where indexrelname = $1', [
          index,
        ])
      )[0]!.idx_scan,
    );
  };

  it('find one reservation by its id and never among all open ones', async () => {
    const before = { open: await readsOf('reservation_open'), byId: await readsOf('reservation_pkey') };
    for (const calls of [1, 8, 1, 8]) {
      const requests = Array.from({ length: calls }, () => request());
      expect(await Promise.all(requests.map((one) => ledger.reserve(one, NOON)))).toEqual(
        requests.map(() => 'reserved'),
      );
      const moved = requests.map(({ id }) => request({ replaces: id }));
      expect(await Promise.all(moved.map((one) => ledger.reserve(one, NOON)))).toEqual(requests.map(() => 'reserved'));
      await ledger.renew(
        moved.map(({ id }) => id),
        new Date(NOON.getTime() + 900_000),
      );
      expect(await Promise.all(moved.map(finish))).toEqual(requests.map(() => 'done'));
    }

    expect(await readsOf('reservation_open')).toBe(before.open);
    expect(await readsOf('reservation_pkey')).toBeGreaterThan(before.byId);
  });

  it('find the overdue ones among the open ones', async () => {
    const before = await readsOf('reservation_open');
    await ledger.reserve(request(), NOON);
    await sql.query('set enable_seqscan = off');

    expect(await ledger.sweep(new Date(NOON.getTime() + 3_600_000), 10)).toBe(1);
    expect(await readsOf('reservation_open')).toBeGreaterThan(before);
  });
});

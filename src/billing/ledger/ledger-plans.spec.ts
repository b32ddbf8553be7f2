import { aGenerationRecord } from '../../../test/support/calls/generation-record.js';
import { insertAccount, insertKey } from '../../../test/support/database/row-builders.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { generationDetail } from '../../usage/generation-detail.js';
import { FreeCallLedger } from './free-call-ledger.js';
import { Ledger, type ReservationRequest } from './ledger.js';

const RECORD = aGenerationRecord({
  detail: generationDetail({ sessionId: 'session-1' }),
});
const NOON = new Date('2026-11-21T12:00:00Z');

/**
 * The index of the open reservations keeps an entry of every reservation that was closed since the last vacuum. A plan
 * that searches this index for one reservation reads all its entries, whose number grows while the service is under
 * load.
 */
describe('the query plans of the ledger', () => {
  let database: TestDatabase;
  let sql: Sql;
  let ledger: Ledger;
  let free: FreeCallLedger;
  let payer: { accountNo: number; keyNo: number };
  beforeAll(async () => {
    database = await createTestDatabase();
    // One connection, opened while the tables are empty: the plans that are made then are kept.
    sql = new Sql(database.url, 1);
    ledger = new Ledger(sql);
    free = new FreeCallLedger(sql);
    const account = await insertAccount(sql, { granted: 1_000_000_000 });
    const key = await insertKey(sql, account);
    payer = { accountNo: account.no, keyNo: key.no };
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  const request = (more: Partial<ReservationRequest> = {}): ReservationRequest => ({
    id: newId(),
    generationId: newId(),
    ...payer,
    parentNo: null,
    accountAmount: 10n,
    keyAmount: 10n,
    parentAmount: 0n,
    at: NOON,
    ...more,
  });
  const finish = ({ id }: ReservationRequest): Promise<string> =>
    ledger.finish({ reservationId: id, ...payer, settle: true, cost: 1n, byokCost: 0n, record: RECORD });
  const recordFree = (): Promise<unknown> =>
    free.record({
      id: newId(),
      ...payer,
      parentNo: null,
      at: NOON,
      record: RECORD,
      amounts: { accountAmount: 1n, keyAmount: 1n, parentAmount: 0n },
    });
  const countedOf = async (index: string): Promise<{ scans: number; entries: number }> => {
    await sql.query('select pg_stat_force_next_flush()');
    const [row] = await sql.query<{ scans: bigint; entries: bigint }>(
      'select idx_scan as scans, idx_tup_read as entries from pg_stat_user_indexes where indexrelname = $1',
      [index],
    );
    return { scans: Number(row!.scans), entries: Number(row!.entries) };
  };
  const readsOf = async (index: string): Promise<number> => (await countedOf(index)).scans;

  it('find one reservation by its id, without a search through all open reservations', async () => {
    const before = { open: await readsOf('reservation_open'), byId: await readsOf('reservation_pkey') };
    for (const calls of [1, 8, 1, 8]) {
      const requests = Array.from({ length: calls }, () => request());
      expect(await Promise.all(requests.map((one) => ledger.reserve(one)))).toEqual(requests.map(() => 'reserved'));
      const moved = requests.map(({ id }) => request({ replaces: id }));
      expect(await Promise.all(moved.map((one) => ledger.reserve(one)))).toEqual(requests.map(() => 'reserved'));
      await ledger.renew(moved);
      expect(await Promise.all(moved.map(finish))).toEqual(requests.map(() => 'done'));
    }

    expect(await readsOf('reservation_open')).toBe(before.open);
    expect(await readsOf('reservation_pkey')).toBeGreaterThan(before.byId);
  });

  it('read at most 12 entries of each index per call, however many accounts, keys and reservations exist', async () => {
    const batch = async (calls: number): Promise<void> => {
      const requests = Array.from({ length: calls }, () => request());
      await Promise.all(requests.map((one) => ledger.reserve(one)));
      await ledger.renew(requests);
      await Promise.all(requests.map(finish));
      await Promise.all(requests.map(recordFree));
    };
    await batch(8);
    for (let round = 0; round < 5; round++) await batch(100);
    for (let keys = 0; keys < 200; keys++) await insertKey(sql, await insertAccount(sql));
    const indexes = ['reservation_pkey', 'account_balance_pkey', 'key_balance_key', 'api_key_no_unique'];
    const before = await Promise.all(indexes.map(countedOf));
    for (let round = 0; round < 10; round++) await batch(4);
    const after = await Promise.all(indexes.map(countedOf));

    // Reservation, renewal, settlement and free call each look up a row in several places: up to 12 reads per call.
    const perCall = indexes.map((_, at) => (after[at]!.entries - before[at]!.entries) / 40);
    expect(perCall.filter((entries) => entries > 12)).toEqual([]);
  });

  it('find overdue reservations by the index of the open reservations', async () => {
    const before = await readsOf('reservation_open');
    const one = request();
    await ledger.reserve(one);
    await sql.query(`update reservation set deadline = clock_timestamp() - interval '1 s' where id = $1`, [one.id]);
    await sql.query('set enable_seqscan = off');

    expect(await ledger.sweep(await ledger.databaseTime(), 10)).toMatchObject({ swept: 1 });
    expect(await readsOf('reservation_open')).toBeGreaterThan(before);
  });
});

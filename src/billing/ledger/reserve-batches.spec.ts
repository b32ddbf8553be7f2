import { insertAccount, insertKey, type KeyColumns } from '../../../test/support/database/row-builders.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { compositeArrayText } from './composite-text.js';

const NOON = Date.parse('2026-11-20T12:00:00Z');
const HOUR_MS = 3_600_000;
const LEASE_MS = 30_000;

/**
 * The columns of an item of ledger_reserve_batch. `key` is an index in `keyNos`, so that an item can be reserved for
 * several accounts.
 */
interface Item {
  readonly r: string;
  readonly key: number;
  readonly aa: number;
  readonly ka: number;
  readonly t: Date;
  readonly replaces?: string;
}

interface Twin {
  readonly accountNo: number;
  readonly keyNos: readonly number[];
  /** The reservation ids of this account, by the names in the items. */
  readonly ids: Map<string, string>;
}

describe('the fast path for a batch of reservations', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  async function aTwin(granted: number, keys: readonly KeyColumns[]): Promise<Twin> {
    const account = await insertAccount(sql, { granted });
    const keyNos: number[] = [];
    for (const columns of keys) keyNos.push((await insertKey(sql, account, columns)).no);
    return { accountNo: account.no, keyNos, ids: new Map() };
  }

  const idIn = ({ ids }: Twin, name: string): string => ids.get(name) ?? ids.set(name, newId()).get(name)!;

  async function reserve(twin: Twin, how: string, items: readonly Item[]): Promise<string[]> {
    const rows = items.map(({ r, key, aa, ka, t, replaces }) => [
      idIn(twin, r),
      newId(t.getTime()),
      twin.accountNo,
      twin.keyNos[key],
      null,
      aa,
      ka,
      0,
      t.toISOString(),
      replaces && idIn(twin, replaces),
    ]);
    const noTimeout = how === 'ledger_reserve_batch' ? ', null' : '';
    const outcomes = await sql.query<{ outcome: string }>(`select outcome from ${how}($1, $2${noTimeout})`, [
      LEASE_MS,
      compositeArrayText(rows),
    ]);
    return outcomes.map(({ outcome }) => outcome);
  }

  const stateOf = async ({ accountNo, keyNos, ids }: Twin): Promise<unknown> => {
    const names = new Map([...ids].map(([name, id]) => [id, name]));
    const reservations = await sql.query<{ id: string }>(
      `select id, account_amount, key_amount, created_at, state from reservation where account_no = $1`,
      [accountNo],
    );
    return {
      account: await sql.query('select reserved from account_balance where account_no = $1', [accountNo]),
      keys: await sql.query('select reserved from key_balance where key_no = any($1::int[]) order by key_no', [keyNos]),
      reservations: reservations
        .map(({ id, ...rest }) => ({ id: names.get(id)!, ...rest }))
        .toSorted((a, b) => a.id.localeCompare(b.id)),
    };
  };

  it('has the same result as the general function (120 random batches over some days)', async () => {
    const keys: KeyColumns[] = [
      {},
      { limit_nano: 600 },
      { limit_nano: 150, limit_reset: 'daily' },
      { expires_at: new Date(NOON + 40 * HOUR_MS) },
      { disabled: true },
    ];
    const [quick, general] = [await aTwin(900, keys), await aTwin(900, keys)];
    let seed = 20_261_123;
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const seen = new Set<string>();
    let at = NOON;
    for (let batch = 0; batch < 120; batch++) {
      at += random(HOUR_MS);
      // Most batches are usual ones; the others have a disabled key, an earlier day, a repetition or a replacement.
      const isUsual = random(3) > 0;
      const items = Array.from({ length: 1 + random(6) }, (_, index): Item => {
        const ka = random(12);
        return {
          r: !isUsual && random(5) === 0 ? `${batch - random(2)}-0` : `${batch}-${index}`,
          key: random(isUsual ? 4 : 5),
          aa: random(4) === 0 ? 0 : ka,
          ka,
          t: new Date(at - (isUsual ? 0 : random(3) * 9 * HOUR_MS)),
          ...(!isUsual && random(4) === 0 ? { replaces: `${batch - 1}-${random(3)}` } : {}),
        };
      });
      const outcomes = await reserve(quick, 'ledger_reserve_batch', items);
      expect([batch, outcomes]).toEqual([batch, await reserve(general, 'ledger_reserve_items', items)]);
      expect([batch, await stateOf(quick)]).toEqual([batch, await stateOf(general)]);
      for (const outcome of outcomes) seen.add(outcome.split(' ')[0]!);
    }
    expect([...seen].toSorted()).toEqual([
      'insufficient_credits',
      'key_disabled',
      'key_expired',
      'key_limit',
      'lease_lost',
      'reserved',
    ]);
  });

  it('reserves a batch that limits and credits cover fully, and leaves other batches to the general path', async () => {
    const twin = await aTwin(100, [{ limit_nano: 50 }, {}]);
    const item = (r: string, key: number, amount: number): Item => ({
      r,
      key,
      aa: amount,
      ka: amount,
      t: new Date(NOON),
    });
    await sql.query(`create or replace function ledger_reserve_items(p_lease_ms int,
      p_items ledger_reservation_item[], p_budgets ledger_budget_item[] default null, p_counts int[] default null,
      p_limits bigint[] default null)
      returns table (r uuid, outcome text) language plpgsql as $$ begin raise exception 'decided item by item';
      end $$`);
    const decided = (...items: Item[]): Promise<string[]> => reserve(twin, 'ledger_reserve_batch', items);

    await expect(decided(item('a', 0, 25), item('b', 0, 26))).rejects.toThrow('decided item by item');
    await expect(decided(item('a', 0, 50), item('b', 1, 51))).rejects.toThrow('decided item by item');
    expect(await decided(item('a', 0, 25), item('b', 0, 25), item('c', 1, 50))).toEqual(Array(3).fill('reserved'));
    await expect(decided(item('d', 1, 1))).rejects.toThrow('decided item by item');
    expect(await decided(item('e', 1, 0))).toEqual(['reserved']);
    await expect(decided(item('e', 1, 0))).rejects.toThrow('decided item by item');
  });
});

import { aGenerationRecord } from '../calls/generation-record.js';
import { insertAccount, insertKey, type KeyColumns } from '../database/row-builders.js';
import { createTestDatabase, type TestDatabase } from '../database/test-database.js';
import { eventually } from '../eventually.js';
import { Sql } from '../../../src/database/sql.js';
import { expectBalanced, readBooks } from './count-the-money.js';
import { LeaseService } from './lease-service.js';

export const RECORD = aGenerationRecord();
export const PLENTY = 1_000_000_000;

/** An account and a key of it. */
export type PayerNos = readonly [accountNo: number, keyNo: number];

/** Several services with credit leases on one database. */
export class LeaseStage {
  readonly #services: LeaseService[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly sql: Sql,
  ) {}

  static async open(): Promise<LeaseStage> {
    const database = await createTestDatabase();
    return new LeaseStage(database, new Sql(database.url, 2));
  }

  async start(options?: ConstructorParameters<typeof LeaseService>[2]): Promise<LeaseService> {
    const service = new LeaseService(this.database.url, RECORD, options);
    this.#services.push(service);
    await service.start();
    return service;
  }

  /** Stops the services and checks that the books balance and that nothing is reserved. */
  async settle(): Promise<void> {
    await Promise.all(this.#services.splice(0).map((service) => service.stop()));
    const books = await readBooks(this.sql);
    expectBalanced(books);
    expect([books.accountReserved, books.budgetsReserved]).toEqual([0n, 0n]);
  }

  async close(): Promise<void> {
    await this.sql.close();
    await this.database.drop();
  }

  async payer(granted: number, columns?: KeyColumns): Promise<PayerNos> {
    const account = await insertAccount(this.sql, { granted });
    return [account.no, (await insertKey(this.sql, account, columns)).no];
  }

  /** The leased amount of an account. */
  async leased(accountNo: number): Promise<bigint> {
    const [row] = await this.sql.query<{ amount: bigint }>(
      `select coalesce(sum(account_amount), 0)::bigint as amount from reservation
       where account_no = $1 and state = 'reserved' and lends_until is not null`,
      [accountNo],
    );
    return row!.amount;
  }

  /** Makes concurrent calls until the key has a lease, because a lease requires 20 calls within a second. */
  async warmUp(service: LeaseService, of: PayerNos): Promise<void> {
    await eventually(async () => {
      if ((await this.leased(of[0])) > 0n) return;
      await Promise.all(Array.from({ length: 20 }, () => service.call(...of, { worstCase: 10n, price: 1n })));
      expect(await this.leased(of[0])).toBeGreaterThan(0n);
    });
  }

  /** The number of single-call reservations that were made for an account. */
  async reservations(accountNo: number): Promise<number> {
    const [row] = await this.sql.query<{ made: number }>(
      'select count(*)::int as made from reservation where account_no = $1 and lends_until is null',
      [accountNo],
    );
    return row!.made;
  }

  /** Posts the calls of all accounts, as readers of balances and records do. */
  async post(): Promise<void> {
    await this.sql.query(
      'select ledger_post_journal(j.no) from (select distinct account_no as no from ledger_journal) j',
    );
  }

  /** The spend of an account, with the calls that were not posted yet. */
  async spent(accountNo: number): Promise<bigint> {
    await this.post();
    const [row] = await this.sql.query<{ spent: bigint }>('select spent from account_balance where account_no = $1', [
      accountNo,
    ]);
    return row!.spent;
  }
}

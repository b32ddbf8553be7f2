import { Client } from 'pg';
import { elementText } from '../../../src/billing/ledger/composite-text.js';
import type { LeasedFinishItem } from '../../../src/billing/ledger/commits/ledger-commits.port.js';
import { recordTexts } from '../../../src/billing/ledger/ledger-rows.js';
import { newId } from '../../../src/kernel/ids.js';
import { LeaseStage, PLENTY, RECORD, type PayerNos } from './lease-stage.js';
import type { LeaseService } from './lease-service.js';

/** The price of each call, in nano-dollars. */
export const PRICE = 7n;

/** A service with a key that has a credit lease, and the journal of its account. */
export class JournalStage {
  private constructor(
    readonly stage: LeaseStage,
    readonly service: LeaseService,
    readonly of: PayerNos,
    readonly leaseId: string,
  ) {}

  static async open(stage: LeaseStage): Promise<JournalStage> {
    const service = await stage.start();
    const of = await stage.payer(PLENTY);
    await stage.warmUp(service, of);
    const [lease] = await stage.sql.query<{ id: string }>(
      `select id from reservation where account_no = $1 and state = 'reserved' and lends_until is not null`,
      [of[0]],
    );
    await stage.post();
    return new JournalStage(stage, service, of, lease!.id);
  }

  /** A call that ended on the lease, as the service sends it. `held`: the amounts that it held on the lease. */
  ended(facts: Partial<LeasedFinishItem> = {}, held = 1n): LeasedFinishItem {
    const id = newId();
    const at = new Date().toISOString();
    return {
      id,
      leaseId: this.leaseId,
      accountNo: this.of[0],
      keyDay: `${this.of[1]} 1`,
      unsettledCalls: 0,
      isJournaled: true,
      finish: elementText([id, this.leaseId, ...this.of, at, held, held, true, PRICE, 0n, false]),
      ...recordTexts(RECORD, PRICE),
      ...facts,
    };
  }

  /** The call, sent again because the outcome of its first write is unknown. */
  repeated(call: LeasedFinishItem): LeasedFinishItem {
    return { ...call, finish: call.finish.replace(/f\)"$/, 't)"'), isJournaled: false };
  }

  /** Writes a call as a service that does not post it. */
  writeBy(
    client: { query(text: string, params: readonly unknown[]): unknown },
    { finish, usage, detail }: LeasedFinishItem,
  ): unknown {
    return client.query('select ledger_write_journal($1, $2, $3, 0, $4, $5, $6, null)', [
      this.of[0],
      this.leaseId,
      `${this.of[1]} 1`,
      finish,
      usage,
      detail,
    ]);
  }

  /** Writes a call in a transaction that is not committed yet. */
  async writing(call: LeasedFinishItem): Promise<{ commit(): Promise<void> }> {
    const client = new Client(this.stage.database.url);
    await client.connect();
    await client.query('begin');
    await this.writeBy(client, call);
    return { commit: () => client.query('commit').then(() => client.end()) };
  }

  async entries(): Promise<number> {
    return (await this.stage.sql.query('select from ledger_journal where account_no = $1', [this.of[0]])).length;
  }

  /** The spend of the account, without calls that are not posted. */
  async spent(): Promise<bigint> {
    const [row] = await this.stage.sql.query<{ spent: bigint }>(
      'select spent from account_balance where account_no = $1',
      [this.of[0]],
    );
    return row!.spent;
  }

  /** How often a call is recorded. */
  async recorded(id: string): Promise<number> {
    const params = [this.of[0], id];
    return (await this.stage.sql.query('select from generation where account_no = $1 and id = $2', params)).length;
  }

  /** Ends the lease without posting its calls, which no code does. */
  async closeLease(): Promise<void> {
    await this.stage.sql.query(
      `with closed as (update reservation set state = 'released' where account_no = $1 and id = $2
         returning account_amount, key_amount),
       account as (update account_balance b set reserved = reserved - c.account_amount from closed c
         where account_no = $1)
       update key_balance b set reserved = reserved - c.key_amount from closed c where account_no = $1 and key_no = $3`,
      [this.of[0], this.leaseId, this.of[1]],
    );
  }
}

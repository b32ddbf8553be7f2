import type { Sql } from '../../database/sql.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import { GroupCommit } from './group-commit.js';
import { leanRecord, outcomesOf, toRefusal, type OutcomeRow, type Refusal } from './ledger-rows.js';
import type { ReservedAmounts } from './ledger.js';

/** A call that costs nothing. */
export interface FreeCall {
  readonly id: string;
  readonly accountNo: number;
  readonly keyNo: number;
  readonly parentNo: number | null;
  /** The time in `id`. */
  readonly at: Date;
  readonly record: GenerationRecord;
  /** What a call of its own would reserve: it is refused where that would be. Absent = not checked. */
  readonly amounts?: ReservedAmounts;
}

/** Records calls that cost nothing, without a reservation; batches what arrives together. */
export class FreeCallLedger {
  readonly #calls = new GroupCommit<FreeCall, 'done' | Refusal>((calls) => this.#flush(calls));

  constructor(private readonly sql: Sql) {}

  /** Repeating a call that was recorded changes nothing. */
  record(call: FreeCall): Promise<'done' | Refusal> {
    return this.#calls.submit(call);
  }

  idle(): Promise<void> {
    return this.#calls.idle();
  }

  async #flush(calls: readonly FreeCall[]): Promise<('done' | Refusal)[]> {
    const rows = calls.map(({ id, accountNo, keyNo, parentNo, at, record, amounts }) => ({
      r: id,
      a: accountNo,
      k: keyNo,
      p: parentNo,
      t: at.toISOString(),
      g: leanRecord(record, 0n),
      d: record.detail,
      aa: amounts?.accountAmount.toString(),
      ka: amounts?.keyAmount.toString(),
      pa: amounts?.parentAmount.toString(),
    }));
    const refused = await this.sql.query<OutcomeRow<string>>(
      `select * from ledger_record_free($1) where outcome <> 'done'`,
      [JSON.stringify(rows)],
    );
    return outcomesOf(rows, refused, 'done').map((outcome) => (outcome === 'done' ? outcome : toRefusal(outcome)));
  }
}

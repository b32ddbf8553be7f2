import type { Sql } from '../../database/sql.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import { compositeArrayText } from './composite-text.js';
import { GroupCommit } from './commits/group-commit.js';
import {
  detailsText,
  outcomesOf,
  tagsText,
  toRefusal,
  usageRow,
  type OutcomeRow,
  type Refusal,
} from './ledger-rows.js';
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
  /** The amounts that a call would reserve: it is refused where that call would be. Absent = not checked. */
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
    const rows = calls.map(({ id, accountNo, keyNo, parentNo, at, amounts }) => [
      id,
      accountNo,
      keyNo,
      parentNo,
      at.toISOString(),
      amounts?.accountAmount,
      amounts?.keyAmount,
      amounts?.parentAmount,
    ]);
    const records = calls.map(({ record }) => record);
    const refused = await this.sql.query<OutcomeRow<string>>(
      `select * from ledger_record_free($1, $2, $3, $4) where outcome <> 'done'`,
      [
        compositeArrayText(rows),
        compositeArrayText(records.map((record) => usageRow(record, 0n))),
        detailsText(records),
        tagsText(calls.map(({ id, record }) => ({ id, tags: record.detail?.tags }))),
      ],
    );
    const ids = calls.map(({ id }) => id);
    return outcomesOf(ids, refused, 'done').map((outcome) => (outcome === 'done' ? outcome : toRefusal(outcome)));
  }
}

import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import type { GenerationRecord } from '../../usage/generation-record.js';
import { compositeArrayText } from './composite-text.js';
import { GroupCommit } from './commits/group-commit.js';
import {
  detailsText,
  outcomesOf,
  tagsText,
  readRefusal,
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
  /** The time that `id` contains. */
  readonly at: Date;
  readonly record: GenerationRecord;
  /**
   * The amounts that the call would reserve if it were sent to a vendor. The call is refused if such a reservation
   * would be refused. Absent: the limits are not checked.
   */
  readonly amounts?: ReservedAmounts;
}

/** Records calls that cost nothing, without a reservation. Calls that arrive together share a batch. */
@Injectable()
export class FreeCallLedger {
  readonly #calls = new GroupCommit<FreeCall, 'done' | Refusal>((calls) => this.#flush(calls));

  constructor(private readonly sql: Sql) {}

  /** Idempotent: repeating a recorded call changes nothing. */
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
    return outcomesOf(ids, refused, 'done').map((outcome) => (outcome === 'done' ? outcome : readRefusal(outcome)));
  }
}

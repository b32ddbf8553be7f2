import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import { timeOfId } from '../kernel/ids.js';
import type { Nano } from '../kernel/money.js';

export const LEDGER_KINDS = ['generation', 'grant', 'refund', 'correction'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** Which entries are listed; absent = any. */
export interface LedgerQuery {
  readonly kind?: LedgerKind;
  readonly generationId?: string;
  /** The key that made the call. */
  readonly keyNo?: number;
  /** [from, to) in milliseconds since 1970. */
  readonly from: number | null;
  readonly to: number | null;
  /** The `nextCursor` of the page before. */
  readonly cursor?: string;
  readonly limit: number;
}

/** One change of an account's credits: negative for what was spent or taken back. */
export interface LedgerEntry {
  readonly id: bigint;
  readonly kind: LedgerKind;
  readonly amount: Nano;
  readonly reason: string | null;
  readonly idempotencyId: string | null;
  readonly generationId: string | null;
  readonly keyNo: number | null;
  readonly createdAt: Date;
}

/** A page of entries, newest first, and the account's credits at that time. */
export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** Granted less spent. */
  readonly balance: Nano;
  readonly asOf: Date;
}

/** Lists the entries of the ledger. */
@Injectable()
export class LedgerEntries {
  constructor(private readonly sql: Sql) {}

  /** Throws invalid_request for a cursor that is none. */
  async page(accountNo: number, query: LedgerQuery): Promise<LedgerPage> {
    const before = query.cursor === undefined ? null : placeOf(query.cursor);
    // The balance first: entries that are settled in between are listed, and not in the balance.
    const [now] = await this.sql.query<{ balance: bigint; as_of: Date }>(
      `select coalesce((select granted - spent from account_balance where account_no = $1), 0) as balance,
         now() as as_of`,
      [accountNo],
    );
    const conditions = ['account_no = $1'];
    const values: unknown[] = [accountNo];
    const where = (condition: (parameter: string) => string, value: unknown): void => {
      if (value !== null && value !== undefined) conditions.push(condition(`$${values.push(value)}`));
    };
    // Written out: the index of the entries that are not of calls implies this condition.
    if (query.kind !== undefined && query.kind !== 'generation') conditions.push(`kind <> 'generation'`);
    where((kind) => `kind = ${kind}`, query.kind);
    // A call is entered at the time in its id.
    where((time) => `created_at = ${time}`, query.generationId && timeOfId(query.generationId));
    where((id) => `generation_id = ${id}`, query.generationId);
    where((no) => `key_no = ${no}`, query.keyNo);
    where((time) => `created_at >= ${time}`, query.from === null ? null : new Date(query.from));
    where((time) => `created_at < ${time}`, query.to === null ? null : new Date(query.to));
    if (before !== null) {
      const time = `(timestamptz 'epoch' + $${values.push(before.micros)}::bigint * interval '1 microsecond')`;
      conditions.push(`created_at <= ${time}`, `(created_at, id) < (${time}, $${values.push(before.id)}::bigint)`);
    }
    const rows = await this.sql.query<LedgerEntry & { micros: bigint }>(
      `select id, kind, amount, reason, idempotency_id as "idempotencyId", generation_id as "generationId",
         key_no as "keyNo", created_at as "createdAt", (extract(epoch from created_at) * 1000000)::bigint as micros
       from ledger_entry where ${conditions.join(' and ')}
       order by created_at desc, id desc limit $${values.push(query.limit + 1)}`,
      values,
    );
    const entries = rows.slice(0, query.limit);
    const last = entries.at(-1);
    return {
      entries,
      nextCursor: last && rows.length > entries.length ? cursorOf(last) : null,
      balance: now!.balance,
      asOf: now!.as_of,
    };
  }
}

const cursorOf = ({ micros, id }: { readonly micros: bigint; readonly id: bigint }): string =>
  Buffer.from(`${micros}.${id}`).toString('base64url');

function placeOf(cursor: string): { readonly micros: string; readonly id: string } {
  const [, micros, id] = /^(\d{1,17})\.(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (micros === undefined || id === undefined) throw invalidRequest('cursor must be the next_cursor of another page');
  return { micros, id };
}

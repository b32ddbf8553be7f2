import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import { timeOfId } from '../kernel/ids.js';
import type { Nano } from '../kernel/money.js';

export const LEDGER_KINDS = ['generation', 'grant', 'refund', 'correction'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** The filters of the list. An absent filter allows any value. */
export interface LedgerQuery {
  readonly kind?: LedgerKind;
  readonly generationId?: string;
  /** The key that made the call. */
  readonly keyNo?: number;
  /** Entries at or after this time, in milliseconds since 1970; null = any. */
  readonly from: number | null;
  /** Entries before this time, in milliseconds since 1970; null = any. */
  readonly to: number | null;
  /** The `nextCursor` of the previous page. */
  readonly cursor?: string;
  readonly limit: number;
}

/** One change of an account's credits. The amount is negative if credits were spent or taken back. */
export interface LedgerEntry {
  readonly id: bigint;
  /** A `generation` is a call, or the sum of an account's calls of one day whose records were removed. */
  readonly kind: LedgerKind;
  readonly amount: Nano;
  readonly reason: string | null;
  readonly idempotencyId: string | null;
  readonly generationId: string | null;
  readonly keyNo: number | null;
  readonly createdAt: Date;
}

/** A page of entries, newest first, and the account's credits at the time `asOf`. */
export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** The amount granted minus the amount spent. */
  readonly balance: Nano;
  readonly asOf: Date;
}

/** Lists the entries of the ledger. */
@Injectable()
export class LedgerEntries {
  constructor(private readonly sql: Sql) {}

  /** Throws invalid_request for an invalid cursor. */
  async page(accountNo: number, query: LedgerQuery): Promise<LedgerPage> {
    const before = query.cursor === undefined ? null : positionOf(query.cursor);
    // The balance is read first. Calls that are settled between the two queries are listed, but are not in the balance.
    const [now] = await this.sql.query<{ balance: bigint; as_of: Date }>(
      `select coalesce((select granted - spent from account_balance where account_no = $1), 0) as balance,
         now() as as_of`,
      [accountNo],
    );
    const values: unknown[] = [accountNo];
    const parameter = (value: unknown): string => `$${values.push(value)}`;
    const conditions = ['account_no = $1'];
    const where = (condition: (parameter: string) => string, value: unknown): void => {
      if (value !== null && value !== undefined) conditions.push(condition(parameter(value)));
    };
    // The entry of a call has the time that the call's id contains.
    where((time) => `created_at = ${time}`, query.generationId && timeOfId(query.generationId));
    where((id) => `generation_id = ${id}`, query.generationId);
    where((no) => `key_no = ${no}`, query.keyNo);
    where((time) => `created_at >= ${time}`, query.from === null ? null : new Date(query.from));
    where((time) => `created_at < ${time}`, query.to === null ? null : new Date(query.to));
    if (before !== null) {
      const time = `(timestamptz 'epoch' + ${parameter(before.micros)}::bigint * interval '1 microsecond')`;
      conditions.push(`created_at <= ${time}`, `(created_at, place) < (${time}, ${parameter(before.place)})`);
    }
    const ends = `${conditions.join(' and ')} order by created_at desc, place desc limit ${parameter(query.limit + 1)}`;
    const sources = query.kind === undefined || query.kind === 'generation' ? [ENTRIES, CALLS] : [ENTRIES];
    const ofKind = query.kind === undefined ? '' : `kind = ${parameter(query.kind)} and `;
    const lists = sources.map((source) => `(select ${COLUMNS} from (${source}) e where ${ofKind}${ends})`);
    const rows = await this.sql.query<EntryRow>(
      `select *, (extract(epoch from "createdAt") * 1000000)::bigint as micros
       from (${lists.join(' union all ')}) e
       order by "createdAt" desc, place desc limit ${parameter(query.limit + 1)}`,
      values,
    );
    const entries = rows.slice(0, query.limit).map((row) => ({ ...row, id: idOf(row) }));
    const last = rows[query.limit - 1];
    return {
      entries,
      nextCursor: last && rows.length > query.limit ? cursorOf(last) : null,
      balance: now!.balance,
      asOf: now!.as_of,
    };
  }
}

/** `place` orders entries of the same time. */
const ENTRIES = `select lpad(id::text, 19, '0') collate "C" as place, kind, amount, reason, idempotency_id,
    generation_id, key_no, created_at, account_no from ledger_entry`;
/** Calls with a cost. Their records serve as their entries. */
const CALLS = `select id::text collate "C" as place, 'generation' as kind, -cost as amount, null as reason,
    null as idempotency_id, id as generation_id, key_no, created_at, account_no
  from generation where cost <> 0 and not synthetic`;
const COLUMNS = `place, kind, amount, reason, idempotency_id as "idempotencyId", generation_id as "generationId",
  key_no as "keyNo", created_at as "createdAt"`;

interface EntryRow extends Omit<LedgerEntry, 'id'> {
  readonly place: string;
  readonly micros: bigint;
}

/** The id of a call's entry is the id of the call as a number. */
const idOf = ({ place }: EntryRow): bigint => BigInt(place.includes('-') ? `0x${place.replaceAll('-', '')}` : place);

const cursorOf = ({ micros, place }: EntryRow): string => Buffer.from(`${micros}.${place}`).toString('base64url');

function positionOf(cursor: string): { readonly micros: string; readonly place: string } {
  const [, micros, place] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (micros === undefined || place === undefined)
    throw invalidRequest('cursor must be the next_cursor of another page');
  return { micros, place };
}

const CURSOR = /^(\d{1,17})\.(\d{19}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

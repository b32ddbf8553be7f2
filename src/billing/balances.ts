import { Injectable } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { GatewayError } from '../kernel/errors.js';
import type { Nano } from '../kernel/money.js';
import type { Alongside } from '../database/session-of.js';
import { Sql } from '../database/sql.js';

/** Spend in nano-dollars over the present windows; a stale window reads 0. */
export interface WindowedSpend {
  readonly total: Nano;
  readonly daily: Nano;
  readonly weekly: Nano;
  readonly monthly: Nano;
}

/** What one key has spent from the platform's credits and on its owner's own credentials. */
export interface KeySpend {
  readonly usage: WindowedSpend;
  readonly byokUsage: WindowedSpend;
  /** What open calls hold at present. */
  readonly reserved: Nano;
  readonly lastUsedAt: Date | null;
}

export interface Credits {
  readonly granted: Nano;
  readonly spent: Nano;
}

/** A movement of credits that is no call. */
export interface Grant {
  readonly accountNo: number;
  /** Negative takes back. */
  readonly amount: Nano;
  readonly kind: 'grant' | 'refund' | 'correction';
  readonly reason: string;
  /** The same id twice moves credits once. */
  readonly idempotencyId: string;
}

/** Reads balances, and moves credits other than by calls. */
@Injectable()
export class Balances {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  async ofKeys(keyNos: readonly number[]): Promise<Map<number, KeySpend>> {
    if (keyNos.length === 0) return new Map();
    const rows = await this.sql.query<BalanceRow>(
      `select key_no, reserved, last_used_at, usage, byok_usage,
         case when day_start = n.day then usage_day else 0 end as usage_day, case when day_start = n.day then byok_usage_day else 0 end as byok_usage_day,
         case when week_start = n.week then usage_week else 0 end as usage_week, case when week_start = n.week then byok_usage_week else 0 end as byok_usage_week,
         case when month_start = n.month then usage_month else 0 end as usage_month, case when month_start = n.month then byok_usage_month else 0 end as byok_usage_month
       from key_balance cross join (select ($2::timestamptz at time zone 'UTC')::date as day,
         date_trunc('week', $2::timestamptz at time zone 'UTC')::date as week, date_trunc('month', $2::timestamptz at time zone 'UTC')::date as month) n
       where key_no = any($1::int[])`,
      [keyNos, this.clock.now()],
    );
    return new Map(rows.map((row) => [row.key_no, toKeySpend(row)]));
  }

  async creditsOf(accountNo: number): Promise<Credits> {
    const [row] = await this.sql.query<{ granted: bigint; spent: bigint }>(
      'select granted, spent from account_balance where account_no = $1',
      [accountNo],
    );
    return row ?? { granted: 0n, spent: 0n };
  }

  /** Moves credits and writes the ledger entry; false where the idempotency id was used before with the same amount, and nothing is done. */
  async grant(grant: Grant, alongside?: Alongside<Grant>): Promise<boolean> {
    return this.sql.transaction(async (session) => {
      const locked = await session.query('select 1 from account_balance where account_no = $1 for update', [
        grant.accountNo,
      ]);
      if (locked.length === 0) throw new GatewayError('not_found', 'No such account');
      const [earlier] = await session.query<{ amount: bigint }>(
        'select amount from ledger_entry where account_no = $1 and idempotency_id = $2',
        [grant.accountNo, grant.idempotencyId],
      );
      if (earlier) {
        if (earlier.amount === grant.amount) return false;
        throw new GatewayError(
          'conflict',
          `The idempotency id ${grant.idempotencyId} was used before for another amount`,
        );
      }
      await session.query(
        'insert into ledger_entry (account_no, kind, amount, idempotency_id, reason, created_at) values ($1, $2, $3, $4, $5, $6)',
        [grant.accountNo, grant.kind, grant.amount, grant.idempotencyId, grant.reason, this.clock.now()],
      );
      await session.query('update account_balance set granted = granted + $2 where account_no = $1', [
        grant.accountNo,
        grant.amount,
      ]);
      await alongside?.(grant, session);
      return true;
    });
  }
}

interface BalanceRow {
  readonly key_no: number;
  readonly reserved: bigint;
  readonly last_used_at: Date | null;
  readonly usage: bigint;
  readonly usage_day: bigint;
  readonly usage_week: bigint;
  readonly usage_month: bigint;
  readonly byok_usage: bigint;
  readonly byok_usage_day: bigint;
  readonly byok_usage_week: bigint;
  readonly byok_usage_month: bigint;
}

const toKeySpend = (row: BalanceRow): KeySpend => ({
  usage: { total: row.usage, daily: row.usage_day, weekly: row.usage_week, monthly: row.usage_month },
  byokUsage: {
    total: row.byok_usage,
    daily: row.byok_usage_day,
    weekly: row.byok_usage_week,
    monthly: row.byok_usage_month,
  },
  reserved: row.reserved,
  lastUsedAt: row.last_used_at,
});

import { Injectable } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { GatewayError } from '../kernel/errors/errors.js';
import { nanoToText, type Nano } from '../kernel/money.js';
import type { Principal } from '../kernel/principal.js';
import type { InTransaction } from '../database/session-of.js';
import { Sql } from '../database/sql.js';
import type { Refusal } from './ledger/ledger-rows.js';
import { postJournal, postJournals } from './ledger/commits/journal-posts.js';
import { CreditLeases } from './ledger/leases/credit-leases.js';
import { NEW_ENTRIES_MS, startOf, WINDOWS } from './ledger/sql/limits.sql.js';
import { fellLow, INTO_LOW_EVENTS } from './ledger/sql/thresholds.sql.js';

/** Spend in nano-dollars: in total, and in the current day, week and month (UTC). */
interface WindowedSpend {
  readonly total: Nano;
  readonly daily: Nano;
  readonly weekly: Nano;
  readonly monthly: Nano;
}

/** The spend of a key: `usage` from the account's credits, `byokUsage` on the caller's own credentials. */
export interface KeySpend {
  readonly usage: WindowedSpend;
  readonly byokUsage: WindowedSpend;
  /** The reservations of open calls. */
  readonly reserved: Nano;
  /** The rest of the key's limit in the current window, 0 if the spend exceeds the limit; null = unlimited. */
  readonly limitRemaining: Nano | null;
}

export interface Credits {
  readonly granted: Nano;
  readonly spent: Nano;
  /** The reservations of open calls. */
  readonly reserved: Nano;
}

/** A change of credits that is not caused by a call. */
export interface Grant {
  readonly accountNo: number;
  /** Negative if credits are taken back. */
  readonly amount: Nano;
  readonly kind: 'grant' | 'refund' | 'correction';
  readonly reason: string;
  /** A second grant with the same id and amount changes nothing. */
  readonly idempotencyId: string;
  /** Whether credits may be taken back that are already spent or reserved. */
  readonly force?: boolean;
}

/** SQL for a spend in the current day, week and month. It is 0 if the balance's last window has ended. */
const present = (spend: string): string =>
  WINDOWS.map(
    ({
      period,
    }) => `case when b.${period}_start = ${startOf(period, '$2::timestamptz')} then b.${spend}_${period} else 0 end
    as ${spend}_${period}`,
  ).join(',\n  ');

const BALANCES = `select b.key_no, b.reserved, b.usage, b.byok_usage,
  case when k.limit_nano is not null
    then greatest(ledger_limit(k, $2) - coalesce(ledger_limit_used(k, b, $2), ledger_limit(k, $2)), 0) end
    as limit_remaining,
  ${present('usage')},
  ${present('byok_usage')}
from api_key k
  join account a on a.id = k.account_id
  join key_balance b on b.account_no = a.no and b.key_no = k.no
where k.no = any($1::int[])`;

/** How long a reader waits for `postCalls`. After that, it may miss calls that ended less than a second ago. */
const POST_TIMEOUT_MS = 300;

/** Reads balances, and makes the changes of credits that are not caused by calls. */
@Injectable()
export class Balances {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly leases: CreditLeases,
  ) {}

  /**
   * Posts the calls that ended on credit leases of any service: the calls of the caller's account, or of all accounts
   * if the caller is the operator. Balances and records that are read afterwards include them.
   */
  async postCalls({ accountNo, isOperator }: Pick<Principal, 'accountNo' | 'isOperator'>): Promise<void> {
    const options = { timeoutMs: POST_TIMEOUT_MS };
    const posting = isOperator
      ? postJournals(this.sql, NEW_ENTRIES_MS, options)
      : postJournal(this.sql, accountNo, NEW_ENTRIES_MS, options);
    // A reader that needs the database reports an outage itself. The sweeper logs other failures.
    await posting.catch(() => undefined);
  }

  async ofKeys(keyNos: readonly number[]): Promise<Map<number, KeySpend>> {
    if (keyNos.length === 0) return new Map();
    const rows = await this.sql.query<BalanceRow>(BALANCES, [keyNos, this.clock.now()]);
    return new Map(rows.map((row) => [row.key_no, toKeySpend(row)]));
  }

  async creditsOf(accountNo: number): Promise<Credits> {
    const [row] = await this.sql.query<Credits>(
      'select granted, spent, reserved from account_balance where account_no = $1',
      [accountNo],
    );
    return row ?? { granted: 0n, spent: 0n, reserved: 0n };
  }

  /** Whether a call of any account was ever billed, or holds a reservation. */
  async areUsed(): Promise<boolean> {
    const [row] = await this.sql.query<{ used: boolean }>(
      `select exists (select from account_balance where spent > 0)
         or exists (select from key_balance where usage > 0 or byok_usage > 0)
         or exists (select from reservation where state = 'reserved') as used`,
    );
    return row!.used;
  }

  /**
   * Changes credits and writes the ledger entry. Returns false and does nothing if the idempotency id was used before
   * with the same amount. Throws a 404 if there is no such account, and a 409 if the id was used for another amount or
   * the credits to take back are not available.
   */
  async grant(grant: Grant, inTransaction?: InTransaction<Grant>): Promise<boolean> {
    const outcome = await this.leases.withRecall(grant.accountNo, () => this.#grant(grant, inTransaction));
    if (typeof outcome === 'object') throw notCovered(grant, outcome);
    return outcome;
  }

  /**
   * Unless `force` is set, returns a refusal if the credits to take back are already spent or reserved by open calls.
   */
  #grant(grant: Grant, inTransaction?: InTransaction<Grant>): Promise<boolean | Refusal> {
    return this.sql.transaction(async (session) => {
      const [balance] = await session.query<Credits & { readonly lent: string }>(
        `select granted, spent, reserved, ledger_lent(account_no, null) as lent
         from account_balance where account_no = $1 for update`,
        [grant.accountNo],
      );
      if (!balance) throw new GatewayError('not_found', 'No such account');
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
      const remaining = balance.granted - balance.spent - balance.reserved;
      if (grant.amount < 0n && !grant.force && remaining + grant.amount < 0n)
        return { reason: 'insufficient_credits', remaining, isLent: balance.lent !== '' };
      await session.query(
        `insert into ledger_entry (account_no, kind, amount, idempotency_id, reason, created_at)
         values ($1, $2, $3, $4, $5, $6)`,
        [grant.accountNo, grant.kind, grant.amount, grant.idempotencyId, grant.reason, this.clock.now()],
      );
      await session.query('update account_balance set granted = granted + $2 where account_no = $1', [
        grant.accountNo,
        grant.amount,
      ]);
      await session.query(
        `${INTO_LOW_EVENTS} from account_balance b where b.account_no = $1 and ${fellLow('-$2::bigint')}`,
        [grant.accountNo, grant.amount],
      );
      await inTransaction?.(grant, session);
      return true;
    });
  }
}

function notCovered({ amount }: Grant, { remaining = 0n }: Refusal): GatewayError {
  const available = nanoToText(remaining > 0n ? remaining : 0n);
  const correction = `A correction of ${nanoToText(amount)} USD would leave less than the spent and reserved credits`;
  return new GatewayError('conflict', `${correction}: remove at most ${available} USD, or use --force`);
}

type Spend = 'usage' | 'byok_usage';

interface BalanceRow extends Readonly<Record<Spend | `${Spend}_${'day' | 'week' | 'month'}`, bigint>> {
  readonly key_no: number;
  readonly reserved: bigint;
  readonly limit_remaining: bigint | null;
}

const windowed = (row: BalanceRow, spend: Spend): WindowedSpend => ({
  total: row[spend],
  daily: row[`${spend}_day`],
  weekly: row[`${spend}_week`],
  monthly: row[`${spend}_month`],
});

const toKeySpend = (row: BalanceRow): KeySpend => ({
  usage: windowed(row, 'usage'),
  byokUsage: windowed(row, 'byok_usage'),
  reserved: row.reserved,
  limitRemaining: row.limit_remaining,
});

import { isDatabaseUnavailable } from '../../../database/database-faults.js';
import type { Sql } from '../../../database/sql.js';
import { timeLeftMs } from '../../../database/time-left.js';
import { compositeArrayText } from '../composite-text.js';
import { COMMIT_SHARE } from '../commits/local-commits.driver.js';
import type { Ledger } from '../ledger.js';
import { budgetTexts, holdsOf } from '../named-budgets.js';
import type { CreditLease, LeasedAmounts } from './credit-lease.js';
import type { KeyUse } from './key-use.js';

/** Maximum number of open calls that a renewal lists for each lease. */
const MAX_LISTED_CALLS = 1_000;

/**
 * The change of a lease that a renewal requests: the amounts to add, or to return if they are negative. `unit`: the
 * largest amounts of one call.
 */
export interface Change extends LeasedAmounts {
  readonly lease: CreditLease;
  readonly unit: LeasedAmounts;
  /** The use of the key, if the lease is the one on which calls begin. Absent for a draining lease. */
  readonly use?: KeyUse;
}

/** The result of a change. */
export interface LeaseRow {
  readonly r: string;
  readonly outcome: 'lends' | 'drains' | 'lost';
  readonly account_change: bigint;
  readonly key_change: bigint;
  readonly expires_at: Date | null;
}

/**
 * Grants, changes and renews leases in one statement, or with one statement for each lease if that fails. Returns the
 * row of each change, or an error for a change that the database refuses. `lendsMs`: how long calls may begin, from
 * now.
 */
export async function renewLeases(
  sql: Sql,
  ledger: Ledger,
  changes: readonly Change[],
  lendsMs: number,
): Promise<(LeaseRow | Error)[]> {
  try {
    return await renewTogether(sql, ledger, changes, lendsMs);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    if (changes.length === 1) return [error as Error];
    const rows: (LeaseRow | Error)[] = [];
    for (const change of changes) rows.push(...(await renewLeases(sql, ledger, [change], lendsMs)));
    return rows;
  }
}

function renewTogether(
  sql: Sql,
  { leaseMs, timeoutMs }: Ledger,
  changes: readonly Change[],
  lendsMs: number,
): Promise<LeaseRow[]> {
  const rows = changes.map(({ lease, account, key, unit }) => [
    lease.id,
    lease.accountNo,
    lease.keyNo,
    lease.at.toISOString(),
    account,
    key,
    unit.account > unit.key ? unit.account : unit.key,
    !lease.isDraining,
    listed(lease),
  ]);
  const named = changes.some(({ lease }) => lease.budgets)
    ? budgetTexts(changes.map(({ lease }) => lease.budgets && holdsOf(lease.budgets, 0n, false)))
    : [null, null];
  return sql.query<LeaseRow>('select * from ledger_lease($1, $2, $3, $4, $5, $6, $7)', [
    leaseMs,
    lendsMs,
    compositeArrayText(rows),
    timeLeftMs(performance.now() + COMMIT_SHARE * timeoutMs),
    JSON.stringify(Object.fromEntries(changes.map(({ lease }) => [lease.id, lease.unsettledCalls]))),
    ...named,
  ]);
}

/** Ends a lease and posts its calls. If this fails, the sweeper releases the lease when it expires. */
export async function closeLease(sql: Sql, { id, accountNo, keyNo }: CreditLease): Promise<void> {
  await sql.query('select ledger_close_lease($1, $2, $3)', [accountNo, keyNo, id]);
}

/**
 * The open calls of a lease with their models and worst cases. If the service dies, the sweeper reads this list from
 * the database.
 */
function listed(lease: CreditLease): object[] | null {
  if (!lease.hasOpenCalls) return null;
  const calls: object[] = [];
  for (const { generationId, model, at, account, key } of lease.openCalls) {
    if (calls.length === MAX_LISTED_CALLS) break;
    calls.push({
      id: generationId,
      at: at.toISOString(),
      model,
      account_nano: account.toString(),
      key_nano: key.toString(),
    });
  }
  return calls;
}

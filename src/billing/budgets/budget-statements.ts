import type { SqlSession } from '../../database/sql.js';
import { conflict } from '../../kernel/errors/errors.js';
import { newId } from '../../kernel/ids.js';
import type { NewBudget } from '../budget.js';
import { levelOf, rankOf, type WorkspaceNos } from '../budget-scope.js';
import { countBudget, isCounted } from './budget-counts.js';

const MAX_BUDGETS = 1_000;
/**
 * After this time, every replica has loaded a new budget. The spend is then counted again, because some calls were
 * settled by replicas that had not loaded the budget yet.
 */
const RECOUNT_AFTER_MS = 6_000;

/**
 * Since this migration, records have all attributes that scopes refer to. Records of earlier versions have no tags.
 */
const SCHEMA = '0051-sessions-and-tags';
/** A replica without a heartbeat for this time counts as ended. */
const GONE_AFTER = `interval '30 s'`;

/**
 * Throws a conflict while a replica of an earlier version is running, because such a replica does not count all calls
 * and does not limit some of them.
 */
async function refuseOlderReplicas(session: SqlSession): Promise<void> {
  const older = await session.query(
    `select 1 from replica where heartbeat_at > now() - ${GONE_AFTER} and schema_version < $1 limit 1`,
    [SCHEMA],
  );
  if (older.length > 0)
    throw conflict('A replica of an earlier version, which does not enforce budgets, is still running: stop it first');
}

/** Ends a budget. The amounts that open calls have reserved on the budget are released when the calls end. */
export async function endBudget(session: SqlSession, no: number, now: Date): Promise<void> {
  await session.query('update budget set deleted_at = $2, recount_at = null where no = $1', [no, now]);
}

/**
 * Resets the thresholds of a budget, so that they are checked again. Must be called after a change of the limit or of
 * the spend that counts towards it.
 */
export async function resetAlerts(session: SqlSession, no: number): Promise<void> {
  await session.query(
    `update budget_balance x set alert_at = 0 from budget t
     where t.no = $1 and x.account_no = t.account_no and x.budget_no = t.no`,
    [no],
  );
}

/**
 * Adds a budget and counts its initial spend as `countFrom` requests. The caller must hold the lock of the account.
 * Throws a conflict if the scope and interval already have a budget, if the account has the maximum number of budgets,
 * or if a replica of an earlier version is running.
 */
export async function insertBudget(
  session: SqlSession,
  accountNo: number,
  { scope, each, interval, limit, isSoft = false, countsByok = false, name, countFrom = 'window' }: NewBudget,
  now: Date,
): Promise<{ readonly no: number; readonly id: string }> {
  const [level, reset] = [levelOf(scope, each), interval === 'lifetime' ? null : interval];
  const counted = { account_no: accountNo, scope, each: each ?? null, reset };
  const counts = countFrom === 'window' && isCounted(counted);
  await refuseOlderReplicas(session);
  const [total] = await session.query<{ count: bigint }>(
    'select count(*) from budget where account_no = $1 and deleted_at is null and session_key_no is null',
    [accountNo],
  );
  if (Number(total!.count) >= MAX_BUDGETS) throw conflict(`An account has at most ${MAX_BUDGETS} budgets`);
  const [row] = await session.query<{ no: number; id: string }>(
    `insert into budget (id, account_no, scope, each, level, rank, reset, limit_nano, counts_byok, is_soft, name,
       recount_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing returning no, id`,
    [
      newId(),
      accountNo,
      JSON.stringify(scope),
      each ?? null,
      level,
      rankOf(level, interval),
      reset,
      limit,
      countsByok,
      isSoft,
      name ?? null,
      counts ? new Date(now.getTime() + RECOUNT_AFTER_MS) : null,
      now,
    ],
  );
  if (!row) throw conflict(`There is a ${interval} budget of this scope already: change it, or delete it first`);
  if (counts) await countBudget({ ...counted, no: row.no }, now, session);
  return row;
}

/**
 * Whether the budgets of a workspace count spend on own credentials. If all budgets were deleted, returns the setting
 * of the newest budget.
 */
export async function workspaceCountsByok(workspace: WorkspaceNos, session: SqlSession): Promise<boolean> {
  const [latest] = await session.query<{ counts_byok: boolean }>(
    `select counts_byok from budget where ${OF_WORKSPACE} order by deleted_at is not null, no desc limit 1`,
    paramsOf(workspace),
  );
  return latest?.counts_byok ?? false;
}

/** Sets whether a workspace's budgets count spend on own credentials. The caller must hold the lock of the account. */
export async function setWorkspaceCountsByok(
  workspace: WorkspaceNos,
  countsByok: boolean,
  session: SqlSession,
): Promise<void> {
  const changed = await session.query<{ no: number }>(
    `update budget set counts_byok = $3 where ${OF_WORKSPACE} and deleted_at is null and counts_byok <> $3
     returning no`,
    [...paramsOf(workspace), countsByok],
  );
  for (const { no } of changed) await resetAlerts(session, no);
}

const OF_WORKSPACE = 'account_no = $1 and scope = $2 and each is null';

const paramsOf = ({ accountNo, workspaceNo }: WorkspaceNos): [number, string] => [
  accountNo,
  JSON.stringify({ workspace: workspaceNo }),
];

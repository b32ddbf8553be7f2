import type { SqlSession } from '../../database/sql.js';
import type { BudgetScope, ScopeMember } from '../budget-scope.js';

const labelOf = (column: string): string => `(select l.value from usage_label l where l.id = g.${column})`;
const detailOf = (column: string): string =>
  `(select d.${column} from generation_detail d
    where d.account_no = g.account_no and d.created_at = g.created_at and d.id = g.id)`;

/**
 * SQL for the value of each scope member in a record `g`; for `tag`, all tags of the record. Members that are not
 * recorded have no entry.
 */
const VALUES: Partial<Record<ScopeMember, string>> = {
  workspace: 'g.workspace_no::text',
  user: '(select k.creator_user_id::text from api_key k where k.no = g.key_no)',
  key: 'coalesce((select k.parent_no from api_key k where k.no = g.key_no), g.key_no)::text',
  end_user: labelOf('external_user'),
  model: labelOf('model'),
  provider: labelOf('provider'),
  session: detailOf('session_id'),
  tag: `${detailOf('tags')}::text[]`,
};

/** Locks the account as settlements do, so that none of its calls is settled while their spend is counted. */
export async function lockBudgets(session: SqlSession, accountNo: number): Promise<void> {
  await session.query('select 1 from account_balance where account_no = $1 for update', [accountNo]);
}

/** The properties that decide what a budget counts. */
export interface CountedBudget {
  readonly no: number;
  readonly account_no: number;
  readonly scope: BudgetScope;
  readonly each: ScopeMember | null;
  readonly reset: string | null;
}

/** Whether all members of the scope are recorded, so that its spend can be counted. */
export const isCounted = ({ scope, each }: Pick<CountedBudget, 'scope' | 'each'>): boolean =>
  [...Object.keys(scope), ...(each ? [each] : [])].every((member) => VALUES[member as ScopeMember] !== undefined);

/**
 * Sets the spend of a budget in the window that contains `at` to the sum of the records of its scope. The caller must
 * hold the lock of the account (lockBudgets).
 */
export async function countBudget(
  { no, account_no: accountNo, scope, each, reset }: CountedBudget,
  at: Date,
  session: SqlSession,
): Promise<void> {
  const members = Object.keys(scope) as ScopeMember[];
  // Post the spend of calls on leases now. The count below includes these calls, so posting their spend later would
  // count it twice.
  await session.query('select ledger_post_leases($1)', [accountNo]);
  const covered = members.map((member, index) => {
    const value = VALUES[member];
    return ` and $${index + 5} = ${member === 'tag' ? `any(${value})` : value}`;
  });
  const valueOfEach = each === 'tag' ? `unnest(${VALUES.tag})` : each ? VALUES[each] : `''`;
  await session.query(
    `insert into budget_balance (account_no, budget_no, value, window_start, spent, byok_spent)
     select $1, $2::int, s.value, ledger_budget_start($3, $4), s.spent, s.byok from (
       select ${valueOfEach} as value, sum(g.cost)::bigint as spent,
         sum(case when g.is_byok then coalesce(g.upstream_cost, 0) else 0 end)::bigint as byok
       from generation g
       where g.account_no = $1 and not g.synthetic${covered.join('')}
         and g.created_at >= ledger_budget_start($3, $4)::timestamp at time zone 'UTC'
       group by 1) s
     where s.value is not null
     on conflict (account_no, budget_no, value, window_start)
       do update set spent = excluded.spent, byok_spent = excluded.byok_spent`,
    [accountNo, no, reset, at, ...members.map((member) => String(scope[member]))],
  );
}

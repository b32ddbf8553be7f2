import type { SqlSession } from '../../database/sql.js';
import type { WorkspaceNos } from '../budget-scope.js';
import { resetAlerts } from './budget-statements.js';

/** Whether the budgets of a workspace count spend on own credentials. Deleted budgets keep the setting. */
export async function workspaceCountsByok(workspace: WorkspaceNos, session: SqlSession): Promise<boolean> {
  const [latest] = await session.query<{ counts_byok: boolean }>(
    `select counts_byok from budget where ${OF_WORKSPACE} order by deleted_at is not null, no desc limit 1`,
    paramsOf(workspace),
  );
  return latest?.counts_byok ?? false;
}

/** Sets whether the budgets of a workspace count spend on own credentials, under the lock of the account. */
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

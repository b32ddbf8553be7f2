import { Injectable } from '@nestjs/common';
import type { InTransaction } from '../database/session-of.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import { nanoToText, type Nano } from '../kernel/money.js';
import type { Budget } from './budget.js';
import type { WorkspaceNos } from './budget-scope.js';
import { INTERVALS, type BudgetInterval } from './budget-window.js';
import { BUDGETS, toBudget, type BudgetRow } from './budgets/budget-rows.js';
import { lockBudgets } from './budgets/budget-counts.js';
import {
  endBudget,
  insertBudget,
  resetAlerts,
  setWorkspaceCountsByok,
  workspaceCountsByok,
} from './budgets/budget-statements.js';

/** The budgets of a workspace, and whether they count spend on the caller's own credentials. */
export interface WorkspaceBudgetList {
  /** Sorted from the broadest interval to the narrowest. */
  readonly budgets: readonly Budget[];
  readonly countsByok: boolean;
}

/**
 * The budgets whose scope is a workspace. There is at most one for each interval. All budgets of a workspace have the
 * same `countsByok`.
 */
@Injectable()
export class WorkspaceBudgets {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  async list(workspace: WorkspaceNos, session: SqlSession = this.sql): Promise<WorkspaceBudgetList> {
    const now = this.clock.now();
    const rows = await session.query<BudgetRow>(
      `${BUDGETS} where t.account_no = $2 and t.scope = $3 and t.each is null and t.deleted_at is null order by t.rank`,
      [now, workspace.accountNo, JSON.stringify({ workspace: workspace.workspaceNo })],
    );
    const countsByok = await workspaceCountsByok(workspace, session);
    return { budgets: rows.map((row) => toBudget(row, now)), countsByok };
  }

  /**
   * Sets the limit of an interval. `countsByok` applies to all intervals; absent = unchanged. Throws invalid_request
   * unless the limit is above the limits of all narrower intervals and below the limits of all broader ones.
   */
  async put(
    workspace: WorkspaceNos,
    interval: BudgetInterval,
    { limit, countsByok }: { readonly limit: Nano; readonly countsByok?: boolean },
    inTransaction: (budget: Budget, session: SqlSession, before: Budget | undefined) => Promise<void>,
  ): Promise<WorkspaceBudgetList> {
    return this.sql.transaction(async (session) => {
      await lockBudgets(session, workspace.accountNo);
      const before = await this.list(workspace, session);
      refuseDisorder(before.budgets, interval, limit);
      const counts = countsByok ?? before.countsByok;
      const present = before.budgets.find((budget) => budget.interval === interval);
      if (present) await this.#setLimit(present, limit, session);
      else {
        const budget = { scope: { workspace: workspace.workspaceNo }, interval, limit, countsByok: counts };
        await insertBudget(session, workspace.accountNo, budget, this.clock.now());
      }
      await setWorkspaceCountsByok(workspace, counts, session);
      const after = await this.list(workspace, session);
      const set = after.budgets.find((budget) => budget.interval === interval)!;
      await inTransaction(set, session, present);
      return after;
    });
  }

  /** Does nothing if there is no such budget. */
  async delete(workspace: WorkspaceNos, interval: BudgetInterval, inTransaction: InTransaction<Budget>): Promise<void> {
    await this.sql.transaction(async (session) => {
      await lockBudgets(session, workspace.accountNo);
      const { budgets } = await this.list(workspace, session);
      const present = budgets.find((budget) => budget.interval === interval);
      if (!present) return;
      await endBudget(session, present.no, this.clock.now());
      await inTransaction(present, session);
    });
  }

  async #setLimit({ no }: Budget, limit: Nano, session: SqlSession): Promise<void> {
    await session.query('update budget set limit_nano = $2, updated_at = $3 where no = $1', [
      no,
      limit,
      this.clock.now(),
    ]);
    await resetAlerts(session, no);
  }
}

/** A limit must be below the limits of broader intervals, and above the limits of narrower ones. */
function refuseDisorder(budgets: readonly Budget[], interval: BudgetInterval, limit: Nano): void {
  const place = INTERVALS.indexOf(interval);
  for (const other of budgets) {
    const otherPlace = INTERVALS.indexOf(other.interval);
    if (otherPlace === place || (otherPlace < place ? other.limit > limit : other.limit < limit)) continue;
    const relation = otherPlace < place ? 'below' : 'above';
    throw invalidRequest(
      `The ${interval} budget ($${nanoToText(limit)}) must be ${relation} the ${other.interval} budget ` +
        `($${nanoToText(other.limit)})`,
    );
  }
}

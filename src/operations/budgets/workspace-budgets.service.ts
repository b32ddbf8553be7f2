import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { WorkspaceNos } from '../../billing/budget-scope.js';
import { INTERVALS, type BudgetInterval } from '../../billing/budget-window.js';
import { WorkspaceBudgets } from '../../billing/workspace-budgets.js';
import type { Workspace } from '../../database/entities/workspace.entity.js';
import { coversWorkspace } from '../../kernel/access/reach.js';
import { invalidRequest, notFound } from '../../kernel/errors/errors.js';
import { usdToNano } from '../../kernel/money.js';
import type { Principal } from '../../kernel/principal.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import type { PutWorkspaceBudgetRequest } from './dto/workspace-budget.request.dto.js';
import type {
  WorkspaceBudgetListResponse,
  WorkspaceBudgetRecord,
  WorkspaceBudgetSetResponse,
} from './dto/workspace-budget.response.dto.js';
import { auditedBudget } from './budget-audit.js';
import { toWorkspaceBudgetRecord } from './budgets.wire.js';

/** The operations on the budgets of a workspace, in the order of the API. */
@Injectable()
export class WorkspaceBudgetsService {
  constructor(
    private readonly budgets: WorkspaceBudgets,
    private readonly workspaces: Workspaces,
    private readonly audit: AuditTrail,
  ) {}

  async list(name: string, caller: Principal): Promise<WorkspaceBudgetListResponse> {
    const workspace = await this.#workspace(name, caller);
    const { budgets, countsByok } = await this.budgets.list(numbersOf(workspace, caller));
    return {
      data: budgets.map((budget) => toWorkspaceBudgetRecord(budget, workspace.id)),
      include_byok_in_budgets: countsByok,
    };
  }

  async get(name: string, interval: string, caller: Principal): Promise<WorkspaceBudgetRecord> {
    const wanted = intervalOf(interval);
    const workspace = await this.#workspace(name, caller);
    const { budgets } = await this.budgets.list(numbersOf(workspace, caller));
    const budget = budgets.find((one) => one.interval === wanted);
    if (!budget) throw notFound(`The workspace has no ${wanted} budget`);
    return toWorkspaceBudgetRecord(budget, workspace.id);
  }

  async put(
    name: string,
    interval: string,
    { limit_usd: limit, include_byok_in_budgets: countsByok }: PutWorkspaceBudgetRequest,
    caller: Principal,
  ): Promise<WorkspaceBudgetSetResponse> {
    const wanted = intervalOf(interval);
    const workspace = await this.#workspace(name, caller);
    const { budgets, countsByok: counts } = await this.budgets.put(
      numbersOf(workspace, caller),
      wanted,
      { limit: usdToNano(limit), countsByok },
      auditedBudget(this.audit, 'update', caller),
    );
    const budget = budgets.find((one) => one.interval === wanted)!;
    return { data: toWorkspaceBudgetRecord(budget, workspace.id), include_byok_in_budgets: counts };
  }

  async delete(name: string, interval: string, caller: Principal): Promise<void> {
    const wanted = intervalOf(interval);
    const workspace = await this.#workspace(name, caller);
    await this.budgets.delete(numbersOf(workspace, caller), wanted, auditedBudget(this.audit, 'delete', caller));
  }

  async #workspace(name: string, caller: Principal): Promise<Workspace> {
    const workspace = await this.workspaces.findNamed(caller, name);
    if (!workspace || !coversWorkspace(caller, workspace.id)) throw notFound('No workspace has this id');
    return workspace;
  }
}

const numbersOf = ({ no }: Workspace, { accountNo }: Principal): WorkspaceNos => ({ accountNo, workspaceNo: no });

function intervalOf(text: string): BudgetInterval {
  const interval = INTERVALS.find((one) => one === text);
  if (!interval) throw invalidRequest('interval must be daily, weekly, monthly or lifetime');
  return interval;
}

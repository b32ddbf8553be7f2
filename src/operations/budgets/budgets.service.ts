import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import type { Budget, BudgetChanges } from '../../billing/budget.js';
import { Budgets } from '../../billing/budgets.js';
import { existingTime } from '../../http/validation/utc-time.js';
import { raiseIn, type RaiseRequest } from '../../http/validation/raise.request.dto.js';
import { pageIn, type OffsetPageRequest } from '../../http/validation/offset-page.request.dto.js';
import { Clock } from '../../kernel/clock.js';
import { notFound, type GatewayError } from '../../kernel/errors/errors.js';
import { isUuid } from '../../kernel/ids.js';
import { usdToNano } from '../../kernel/money.js';
import type { Principal } from '../../kernel/principal.js';
import { Workspaces } from '../../tenancy/workspaces.js';
import { auditedBudget } from './budget-audit.js';
import { BudgetScopes } from './budget-scopes.js';
import { memberOf, toBalanceRecord, toBudgetRecord } from './budgets.wire.js';
import type { CreateBudgetRequest, ListBalancesRequest, UpdateBudgetRequest } from './dto/budget.request.dto.js';
import type { BudgetBalancesResponse, BudgetListResponse, BudgetRecord } from './dto/budget.response.dto.js';

const unknown = (): GatewayError => notFound('No budget has this id');

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class BudgetsService {
  constructor(
    private readonly budgets: Budgets,
    private readonly workspaces: Workspaces,
    private readonly scopes: BudgetScopes,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
  ) {}

  async list(request: OffsetPageRequest, caller: Principal): Promise<BudgetListResponse> {
    const { items, total } = await this.budgets.list(caller, pageIn(request));
    const workspaces = await this.workspaces.numbersOf(caller.accountId);
    return { data: items.map((budget) => toBudgetRecord(budget, workspaces)), total_count: total };
  }

  async create(request: CreateBudgetRequest, caller: Principal): Promise<BudgetRecord> {
    const { each, interval, limit_usd: limit, soft: isSoft, include_byok: countsByok, name } = request;
    const wanted = {
      scope: await this.scopes.read(request.scope ?? {}, caller),
      ...(each && { each: memberOf(each) }),
      interval,
      limit: usdToNano(limit),
      isSoft,
      countsByok,
      name: name ?? undefined,
      countFrom: request.count_from,
    };
    const created = await this.budgets.create(caller, wanted, auditedBudget(this.audit, 'create', caller));
    return this.#record(created, caller);
  }

  async get(id: string, caller: Principal): Promise<BudgetRecord> {
    return this.#record(await this.#find(id, caller), caller);
  }

  async update(
    id: string,
    { limit_usd: limit, soft: isSoft, include_byok: countsByok, name }: UpdateBudgetRequest,
    caller: Principal,
  ): Promise<BudgetRecord> {
    const changes = { limit: limit === undefined ? undefined : usdToNano(limit), isSoft, countsByok, name };
    return this.#change(id, changes, caller);
  }

  async delete(id: string, caller: Principal): Promise<void> {
    const audited = auditedBudget(this.audit, 'delete', caller);
    if (!isUuid(id) || !(await this.budgets.delete(caller, id, audited))) throw unknown();
  }

  raise(id: string, request: RaiseRequest, caller: Principal): Promise<BudgetRecord> {
    return this.#change(id, { raise: raiseIn(request, this.clock.now()) }, caller);
  }

  endRaise(id: string, caller: Principal): Promise<BudgetRecord> {
    return this.#change(id, { raise: null }, caller);
  }

  async balances(id: string, request: ListBalancesRequest, caller: Principal): Promise<BudgetBalancesResponse> {
    const { sort: order = 'value', window } = request;
    const budget = await this.#find(id, caller);
    const at = window === undefined ? undefined : existingTime(`${window}T00:00:00Z`, 'window');
    const { items, total } = await this.budgets.balances(budget, { ...pageIn(request), order, at });
    const values = items.flatMap(({ value }) => value ?? []);
    const names = await this.#namesOf(budget, values, caller);
    return {
      data: items.map((item) => toBalanceRecord(item, (value) => names?.get(value) ?? value)),
      total_count: total,
    };
  }

  /**
   * Maps values of `each` that are row numbers to the hashes or ids in the API. Undefined if the values are not row
   * numbers.
   */
  async #namesOf({ each }: Budget, values: string[], caller: Principal): Promise<Map<string, string> | undefined> {
    if (each === 'key') return this.budgets.keyHashes(values);
    if (each !== 'workspace') return undefined;
    return new Map([...(await this.workspaces.numbersOf(caller.accountId))].map(([no, id]) => [String(no), id]));
  }

  async #change(id: string, changes: BudgetChanges, caller: Principal): Promise<BudgetRecord> {
    const audited = auditedBudget(this.audit, 'update', caller);
    const budget = isUuid(id) ? await this.budgets.update(caller, id, changes, audited) : undefined;
    if (!budget) throw unknown();
    return this.#record(budget, caller);
  }

  async #find(id: string, caller: Principal): Promise<Budget> {
    const budget = isUuid(id) ? await this.budgets.find(caller, id) : undefined;
    if (!budget) throw unknown();
    return budget;
  }

  async #record(budget: Budget, caller: Principal): Promise<BudgetRecord> {
    return toBudgetRecord(budget, await this.workspaces.numbersOf(caller.accountId));
  }
}

import type { Settings } from '../../audit/setting-changes.js';
import type { Budget, BudgetBalance } from '../../billing/budget.js';
import type { BudgetScope, ScopeMember } from '../../billing/budget-scope.js';
import { toRaiseRecord } from '../../http/reply/raise.response.dto.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { EACH_MEMBERS } from './dto/budget.request.dto.js';
import type { WorkspaceBudgetRecord } from './dto/workspace-budget.response.dto.js';
import type { BudgetBalanceRecord, BudgetRecord, BudgetScopeRecord } from './dto/budget.response.dto.js';

type WireMember = keyof BudgetScopeRecord;

/** The members of a scope, with their names in the API. */
const MEMBERS: readonly (readonly [ScopeMember, WireMember])[] = [
  ['workspace', 'workspace_id'],
  ['user', 'user_id'],
  ['key', 'api_key_hash'],
  ['end_user', 'end_user'],
  ['session', 'session'],
  ['tag', 'tag'],
  ['model', 'model'],
  ['provider', 'provider'],
  ['credential', 'credential_id'],
];

export const memberOf = (wire: WireMember): ScopeMember => MEMBERS.find(([, name]) => name === wire)![0];
const wireOf = (member: ScopeMember): WireMember => MEMBERS.find(([name]) => name === member)![1];

/** `workspaces`: the ids of workspaces by number, including deleted workspaces. */
export const toBudgetRecord = (budget: Budget, workspaces: ReadonlyMap<number, string>): BudgetRecord => ({
  id: budget.id,
  name: budget.name,
  scope: toScopeRecord(budget.scope, budget.keyHash, workspaces),
  each: budget.each && (wireOf(budget.each) as (typeof EACH_MEMBERS)[number]),
  interval: budget.interval,
  limit_usd: nanoToUsd(budget.limit),
  effective_limit_usd: nanoToUsd(budget.effectiveLimit),
  spent_usd: nanoToUsd(budget.spent),
  byok_spent_usd: nanoToUsd(budget.byokSpent),
  reserved_usd: nanoToUsd(budget.reserved),
  remaining_usd: budget.remaining === null ? null : nanoToUsd(budget.remaining),
  resets_at: budget.resetsAt?.toISOString() ?? null,
  soft: budget.isSoft,
  include_byok: budget.countsByok,
  raise: budget.raise && toRaiseRecord(budget.raise),
  created_at: budget.createdAt.toISOString(),
  updated_at: budget.updatedAt?.toISOString() ?? null,
});

/** The changeable settings of a budget and its interval, for the audit. */
export const toAuditedSettings = (budget: Budget): Settings => ({
  name: budget.name,
  interval: budget.interval,
  limit_usd: nanoToUsd(budget.limit),
  soft: budget.isSoft,
  include_byok: budget.countsByok,
  raise: budget.raise && toRaiseRecord(budget.raise),
});

function toScopeRecord(
  scope: BudgetScope,
  keyHash: string | null,
  workspaces: ReadonlyMap<number, string>,
): BudgetScopeRecord {
  const record: Partial<Record<WireMember, string>> = {};
  for (const [member, wire] of MEMBERS) {
    const value = scope[member];
    if (value === undefined) continue;
    record[wire] = member === 'workspace' ? workspaces.get(Number(value)) : member === 'key' ? keyHash! : String(value);
  }
  return record;
}

export const toWorkspaceBudgetRecord = (budget: Budget, workspaceId: string): WorkspaceBudgetRecord => ({
  id: budget.id,
  workspace_id: workspaceId,
  limit_usd: nanoToUsd(budget.limit),
  reset_interval: budget.interval === 'lifetime' ? null : budget.interval,
  created_at: budget.createdAt.toISOString(),
  updated_at: (budget.updatedAt ?? budget.createdAt).toISOString(),
});

export const toBalanceRecord = (balance: BudgetBalance, valueOf: (value: string) => string): BudgetBalanceRecord => ({
  window_start: balance.start,
  window_end: balance.end?.toISOString() ?? null,
  spent_usd: nanoToUsd(balance.spent),
  byok_spent_usd: nanoToUsd(balance.byokSpent),
  reserved_usd: nanoToUsd(balance.reserved),
  ...(balance.value === null ? {} : { value: valueOf(balance.value) }),
});

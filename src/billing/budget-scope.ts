import { INTERVALS, type BudgetInterval } from './budget-window.js';

/** The members of a scope, from the widest to the narrowest. Levels have the same names. */
export const SCOPE_MEMBERS = [
  'workspace',
  'user',
  'end_user',
  'tag',
  'session',
  'key',
  'model',
  'provider',
  'credential',
] as const;

export type ScopeMember = (typeof SCOPE_MEMBERS)[number];

/**
 * A budget counts the calls that have all values of its scope. Workspaces and keys are given by their row numbers.
 */
export type BudgetScope = { readonly [Member in ScopeMember]?: string | number };

/** If a budget of one of these levels refuses a call, another model, provider or credential may still serve it. */
export const ROUTED_LEVELS = ['model', 'provider', 'credential'] as const;

export type RoutedLevel = (typeof ROUTED_LEVELS)[number];

export const isRouted = (level: ScopeMember): level is RoutedLevel =>
  (ROUTED_LEVELS as readonly string[]).includes(level);

/** The account number of budgets that count the calls of every account. */
export const INSTALLATION = 0;

/** Budgets with a credential count the calls of every account, because credentials are the platform's. */
export const isOfInstallation = ({ credential }: BudgetScope): boolean => credential !== undefined;

/** A workspace of an account. */
export interface WorkspaceNos {
  readonly accountNo: number;
  readonly workspaceNo: number;
}

/** Returns the workspace if the scope has no other member and `each` is not set; otherwise undefined. */
export function workspaceOf(
  accountNo: number,
  { scope, each }: { readonly scope: BudgetScope; readonly each?: ScopeMember | null },
): WorkspaceNos | undefined {
  const { workspace, ...others } = scope;
  if (workspace === undefined || each || Object.keys(others).length > 0) return undefined;
  return { accountNo, workspaceNo: Number(workspace) };
}

/** The narrowest of the members that the scope has or that `each` names. */
export function levelOf(scope: BudgetScope, each: ScopeMember | undefined): ScopeMember {
  return SCOPE_MEMBERS.findLast((member) => scope[member] !== undefined || each === member)!;
}

/**
 * The position of a budget in the order of refusals: by interval, then by level. Budgets of models, providers and
 * credentials come last, ordered by level, then by interval.
 */
export function rankOf(level: ScopeMember, interval: BudgetInterval): number {
  const [byInterval, byLevel] = [INTERVALS.indexOf(interval), SCOPE_MEMBERS.indexOf(level)];
  return isRouted(level) ? 100 + byLevel * INTERVALS.length + byInterval : byInterval * SCOPE_MEMBERS.length + byLevel;
}

/** The data of a budget for the message of a refusal. */
export interface DescribedBudget {
  readonly level: ScopeMember;
  readonly interval: BudgetInterval;
}

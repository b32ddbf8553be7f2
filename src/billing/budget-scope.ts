/** The members of a scope, from the widest to the narrowest; they name levels too. */
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

/** Whose calls a budget counts: those that have all of these values. Workspaces and keys are numbers of their rows. */
export type BudgetScope = { readonly [Member in ScopeMember]?: string | number };

/** From the broadest; the broadest of those that refuse is named. */
export const INTERVALS = ['lifetime', 'monthly', 'weekly', 'daily'] as const;

export type BudgetInterval = (typeof INTERVALS)[number];

/** Levels at which another model, provider or credential may serve the call. */
export const ROUTED_LEVELS = ['model', 'provider', 'credential'] as const;

export type RoutedLevel = (typeof ROUTED_LEVELS)[number];

export const isRouted = (level: ScopeMember): level is RoutedLevel =>
  (ROUTED_LEVELS as readonly string[]).includes(level);

/** The number of the account of budgets that count the calls of every account. */
export const INSTALLATION = 0;

/** Credentials are the platform's: their budgets count the calls of every account. */
export const isOfInstallation = ({ credential }: BudgetScope): boolean => credential !== undefined;

/** The narrowest member of the scope. */
export function levelOf(scope: BudgetScope, each: ScopeMember | undefined): ScopeMember {
  return SCOPE_MEMBERS.findLast((member) => scope[member] !== undefined || each === member)!;
}

/**
 * The place of a budget in the order of refusals: by interval, then by level; budgets of models, providers and
 * credentials come after all others, by level.
 */
export function rankOf(level: ScopeMember, interval: BudgetInterval): number {
  const [byInterval, byLevel] = [INTERVALS.indexOf(interval), SCOPE_MEMBERS.indexOf(level)];
  return isRouted(level) ? 100 + byLevel * INTERVALS.length + byInterval : byInterval * SCOPE_MEMBERS.length + byLevel;
}

/** What a refusal says of a budget. */
export interface DescribedBudget {
  readonly level: ScopeMember;
  readonly interval: BudgetInterval;
}

/** When the window that contains a time ends, in UTC; weeks begin on Monday. Null = it never ends. */
export function resetAfter(interval: BudgetInterval, at: Date): Date | null {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (interval === 'lifetime') return null;
  if (interval === 'monthly') return new Date(Date.UTC(year, month + 1, 1));
  const days = interval === 'daily' ? 1 : 7 - ((at.getUTCDay() + 6) % 7);
  return new Date(Date.UTC(year, month, day + days));
}

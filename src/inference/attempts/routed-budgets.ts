import { isRouted, type ScopeMember } from '../../billing/budget-scope.js';
import type { RefusingBudget } from '../../kernel/errors/error-facts.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { retryAfterSeconds } from '../../kernel/errors/retry-after.js';
import { unavailableKind } from '../routing/endpoint-health.js';
import type { PlannedEndpoint } from '../task.js';

const MAX_RETRY_AFTER_MS = 3_600_000;

/** The budget of a model, a provider or a credential that refused an attempt; undefined for other failures. */
export function routedBudget(error: unknown): RefusingBudget | undefined {
  const budget = error instanceof GatewayError ? error.facts?.budget : undefined;
  return budget && isRouted(budget.level as ScopeMember) ? budget : undefined;
}

/** The remaining attempts of a plan after a budget has refused the first attempt. The budget does not apply to them. */
export function leftAfterRefusal(plan: readonly PlannedEndpoint[], error: unknown): readonly PlannedEndpoint[] {
  const level = routedBudget(error)?.level;
  if (level === undefined) return [];
  const budgetedBy = ({ model, endpoint, channel }: PlannedEndpoint): string | undefined =>
    level === 'model' ? model : level === 'provider' ? endpoint.provider : (channel?.id ?? undefined);
  const [first] = plan as readonly [PlannedEndpoint];
  const [next, ...others] = plan.filter((planned) => budgetedBy(planned) !== budgetedBy(first));
  if (!next) return [];
  if (!next.channel || !first.channel || level === 'model') return [next, ...others];
  const passedOver = [...(next.choice?.passedOver ?? []), { id: first.channel.id, reason: 'budget' } as const];
  return [{ ...next, choice: { id: next.channel.id, reason: 'next', passedOver } }, ...others];
}

/**
 * The failure of a call without remaining attempts. The budget of a provider or a credential is not a limit of the
 * caller, so the failure says that the model is unavailable until the budget's window ends. Other errors are returned
 * unchanged. `now`: Unix time in milliseconds.
 */
export function refusalOfRoutes(error: unknown, { endpoint: { capability } }: PlannedEndpoint, now: number): unknown {
  const budget = routedBudget(error);
  if (!budget || budget.level === 'model') return error;
  const leftMs = budget.resetsAt ? budget.resetsAt.getTime() - now : Infinity;
  const seconds = retryAfterSeconds(Math.min(leftMs, MAX_RETRY_AFTER_MS));
  return new GatewayError(
    unavailableKind(capability),
    'The providers of this model have used up their budgets. Try again later, or use another model.',
    { headers: { 'Retry-After': String(seconds) }, facts: { availability: 'capacity_exhausted' } },
  );
}

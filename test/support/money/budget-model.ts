import { levelOf, rankOf, type BudgetScope, type ScopeMember } from '../../../src/billing/budget-scope.js';
import { INTERVALS, type BudgetInterval } from '../../../src/billing/budget-window.js';
import type { RandomNumbers } from '../random-numbers.js';
import type { BudgetColumns } from './budget-rows.js';

/** A call, with its values for the members that the scope of a budget may have. */
export type ModelCall = { readonly [Member in ScopeMember]?: string | number | readonly string[] } & {
  readonly worstCase: bigint;
  readonly isOwn: boolean;
  readonly at: Date;
};

interface Sums {
  spent: bigint;
  byok: bigint;
  reserved: bigint;
}

export interface ModelBudget extends Required<Pick<BudgetColumns, 'scope' | 'interval' | 'limit'>> {
  readonly no: number;
  readonly each?: ScopeMember;
  readonly countsByok: boolean;
  readonly isSoft: boolean;
}

const DAY_MS = 86_400_000;

/** The first day of a window, computed differently from the service. */
function windowOf(interval: BudgetInterval, at: Date): string {
  const day = Math.floor(at.getTime() / DAY_MS);
  if (interval === 'lifetime') return 'lifetime';
  if (interval === 'daily') return String(day);
  // 1 January 1970 was a Thursday.
  if (interval === 'weekly') return String(day - ((day + 3) % 7));
  return at.toISOString().slice(0, 7);
}

/** An in-memory model of budgets: the expected reservations, refusals and spend. */
export class BudgetModel {
  readonly #sums = new Map<string, Sums>();

  constructor(readonly budgets: readonly ModelBudget[]) {}

  /** The budget that refuses the call, and its remaining amount; undefined = the call is reserved. */
  reserve(call: ModelCall): { readonly budget: ModelBudget; readonly left: bigint } | undefined {
    const held = this.#of(call);
    const refusing = held
      .filter(({ budget, amount, sums }) => !budget.isSoft && amount > 0n && amount > leftOf(budget, sums))
      .toSorted(
        (one, other) => rankOfBudget(one.budget) - rankOfBudget(other.budget) || one.budget.no - other.budget.no,
      );
    const [first] = refusing;
    if (first) return { budget: first.budget, left: leftOf(first.budget, first.sums) };
    for (const { sums, amount } of held) sums.reserved += amount;
    return undefined;
  }

  settle(call: ModelCall, price: bigint): void {
    for (const { sums, amount } of this.#of(call)) {
      sums.reserved -= amount;
      if (call.isOwn) sums.byok += price;
      else sums.spent += price;
    }
  }

  /** The sums of a budget over all windows and all values of `each`. */
  sumsOf({ no }: ModelBudget): Sums {
    const all = { spent: 0n, byok: 0n, reserved: 0n };
    for (const [place, sums] of this.#sums) {
      if (!place.startsWith(`${no} `)) continue;
      all.spent += sums.spent;
      all.byok += sums.byok;
      all.reserved += sums.reserved;
    }
    return all;
  }

  #of(call: ModelCall): { budget: ModelBudget; sums: Sums; amount: bigint }[] {
    return this.budgets
      .filter(({ scope }) => covers(scope, call))
      .flatMap((budget) =>
        valuesOf(budget, call).map((value) => ({
          budget,
          sums: this.#sumsIn(`${budget.no} ${value} ${windowOf(budget.interval, call.at)}`),
          amount: call.isOwn && !budget.countsByok ? 0n : call.worstCase,
        })),
      );
  }

  #sumsIn(place: string): Sums {
    let sums = this.#sums.get(place);
    if (!sums) this.#sums.set(place, (sums = { spent: 0n, byok: 0n, reserved: 0n }));
    return sums;
  }
}

const leftOf = ({ limit, countsByok }: ModelBudget, { spent, byok, reserved }: Sums): bigint =>
  limit - reserved - spent - (countsByok ? byok : 0n);

const rankOfBudget = ({ scope, each, interval }: ModelBudget): number => rankOf(levelOf(scope, each), interval);

const listOf = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat());

const covers = (scope: BudgetScope, call: ModelCall): boolean =>
  Object.entries(scope).every(([member, value]) => listOf(call[member as ScopeMember]).includes(value));

const valuesOf = ({ each }: ModelBudget, call: ModelCall): string[] => (each ? listOf(call[each]).map(String) : ['']);

const SCOPES: readonly ScopeMember[] = ['workspace', 'user', 'end_user', 'tag', 'session', 'model'];

/** One of a few values for the member of a scope or a call. */
export const randomValue = (random: RandomNumbers, member: ScopeMember): string | number =>
  member === 'workspace' ? random.int(1, 2) : `${member} ${random.int(1, 2)}`;

/** A random budget, without its number. */
export function randomBudget(random: RandomNumbers): BudgetColumns {
  const members = SCOPES.filter(() => random.chance(0.25));
  const scope = Object.fromEntries(members.map((member) => [member, randomValue(random, member)]));
  const others = SCOPES.filter((member) => !members.includes(member));
  const each = members.length === 0 || random.chance(0.3) ? others[random.int(0, others.length - 1)] : undefined;
  return {
    scope,
    ...(each && { each }),
    interval: INTERVALS[random.int(0, INTERVALS.length - 1)]!,
    limit: BigInt(random.int(20, 500)),
    countsByok: random.chance(0.4),
    isSoft: random.chance(0.1),
  };
}

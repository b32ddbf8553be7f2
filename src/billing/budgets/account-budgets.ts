import { invalidRequest } from '../../kernel/errors/errors.js';
import { keyPartOf, type NamedBudget, type NamedBudgets } from '../ledger/named-budgets.js';
import { INSTALLATION, SCOPE_MEMBERS, type BudgetScope, type ScopeMember } from '../budget-scope.js';

/** The properties of a budget that decide which calls count in it. */
export interface MatchedBudget {
  readonly no: number;
  /** Its position in the order of refusals. */
  readonly rank: number;
  readonly account_no: number;
  readonly scope: BudgetScope;
  readonly each: ScopeMember | null;
  readonly counts_byok: boolean;
  readonly is_soft: boolean;
}

/** The values that a call has for the members of scopes. */
export type CallValues = { readonly [Member in ScopeMember]?: readonly (string | number)[] };

const NONE: readonly (string | number)[] = [];
/**
 * Maximum number of budgets that a call counts in. If there are more, soft budgets are left out, beginning with the
 * last in the order of refusals. Other budgets are never left out, because a caller could then disable a budget by
 * sending many tags. The maximum also applies to a call on an own credential, even if a budget does not limit such
 * calls, because the budget still records their spend.
 */
const MAX_BUDGETS_PER_CALL = 32;
/** Maximum number of cached sets of budgets. Calls that count in the same budgets share one set. */
const MAX_SETS = 10_000;

interface RankedBudget extends NamedBudget {
  readonly rank: number;
  readonly isSoft: boolean;
}

/** The budgets of an account and of the installation, indexed by the values of calls. */
export class AccountBudgets {
  /** Budgets by the last member of SCOPE_MEMBERS that their scope has, and by its value (keyOf). */
  readonly #byValue = new Map<string, MatchedBudget[]>();
  /** Budgets with an empty scope. They have only `each`. */
  readonly #ofAll: MatchedBudget[] = [];
  #sets = new Map<string, NamedBudgets>();

  constructor(budgets: readonly MatchedBudget[]) {
    for (const budget of budgets) {
      const member = SCOPE_MEMBERS.findLast((name) => budget.scope[name] !== undefined);
      if (member === undefined) this.#ofAll.push(budget);
      else {
        const key = keyOf(member, budget.scope[member]!);
        this.#byValue.set(key, [...(this.#byValue.get(key) ?? []), budget]);
      }
    }
  }

  /** The budgets that a call counts in; undefined = none. Throws invalid_request if too many are not soft. */
  of(values: CallValues): NamedBudgets | undefined {
    const named: RankedBudget[] = [];
    let mayLease = true;
    const add = (budget: MatchedBudget): void => {
      if (!matches(budget.scope, values)) return;
      for (const value of budget.each ? (values[budget.each] ?? NONE) : ['']) {
        const { no, rank, counts_byok: countsByok, is_soft: isSoft } = budget;
        named.push({ no, value: String(value), countsByok, rank, isSoft });
        mayLease &&= budget.account_no !== INSTALLATION;
      }
    };
    for (const budget of this.#ofAll) add(budget);
    for (const member of SCOPE_MEMBERS)
      for (const value of values[member] ?? NONE) this.#byValue.get(keyOf(member, value))?.forEach(add);
    if (named.length === 0) return undefined;
    if (named.length > MAX_BUDGETS_PER_CALL) leaveOutSoft(named);
    return this.#setOf(named, mayLease);
  }

  #setOf(named: NamedBudget[], mayLease: boolean): NamedBudgets {
    named.sort((one, other) => one.no - other.no || (one.value < other.value ? -1 : 1));
    const key = named.map(keyPartOf).join('\n');
    let set = this.#sets.get(key);
    if (!set) {
      if (this.#sets.size >= MAX_SETS) this.#sets = new Map();
      this.#sets.set(key, (set = { key, all: named, mayLease }));
    }
    return set;
  }
}

/** Removes soft budgets until the list has the maximum length. Throws invalid_request if too many are not soft. */
function leaveOutSoft(named: RankedBudget[]): void {
  const hard = named.filter(({ isSoft }) => !isSoft).length;
  if (hard > MAX_BUDGETS_PER_CALL)
    throw invalidRequest(
      `The call counts in ${hard} budgets that are not soft, and the maximum is ${MAX_BUDGETS_PER_CALL}. Send fewer ` +
        'tags, or ask your org admin to delete budgets or to make them soft.',
    );
  named.sort((one, other) => Number(one.isSoft) - Number(other.isSoft) || one.rank - other.rank);
  named.length = MAX_BUDGETS_PER_CALL;
}

const keyOf = (member: ScopeMember, value: string | number): string => `${member} ${value}`;

const matches = (scope: BudgetScope, values: CallValues): boolean =>
  SCOPE_MEMBERS.every((member) => scope[member] === undefined || (values[member] ?? NONE).includes(scope[member]));

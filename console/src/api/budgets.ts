import { useInfiniteQuery, useQuery, type UseInfiniteQueryResult, type UseQueryResult } from '@tanstack/react-query';
import { allPages } from './all-pages';
import { api, body } from './client';
import { queries } from './queries';
import { QUERY_KEYS } from './query-keys';
import type { BudgetBalance, BudgetRecord } from './records';

const PAGE = 100;
const BALANCES_PAGE = 10;
const REFRESH_MS = 30_000;

export type BudgetInterval = BudgetRecord['interval'];
export type BudgetScope = BudgetRecord['scope'];
export type ScopeMember = keyof BudgetScope;

/** A budget, and with `each` the balance that has used most of its limit in the current window. */
export interface BudgetEntry {
  readonly budget: BudgetRecord;
  readonly highest: BudgetBalance | null;
}

export const ofBudget = (id: string) => ({ params: { path: { id } } }) as const;

async function balancesFrom(id: string, offset: number, limit: number) {
  const window = new Date().toISOString().slice(0, 10);
  const params = { path: { id }, query: { window, sort: 'used' as const, offset, limit } };
  return body(api.GET('/api/v1/budgets/{id}/balances', { params }));
}

async function withHighest(budget: BudgetRecord): Promise<BudgetEntry> {
  const highest = budget.each === null ? undefined : (await balancesFrom(budget.id, 0, 1)).data[0];
  return { budget, highest: highest ?? null };
}

const budgetsFrom = async (offset: number): Promise<BudgetRecord[]> =>
  (await body(api.GET('/api/v1/budgets', { params: { query: { offset, limit: PAGE } } }))).data;

/** The budgets that the session may read, the oldest first. */
export const useBudgets = (): UseQueryResult<BudgetEntry[]> =>
  useQuery({
    queryKey: QUERY_KEYS.budgets,
    queryFn: async () => Promise.all((await allPages(PAGE, budgetsFrom)).map(withHighest)),
    refetchInterval: REFRESH_MS,
  });

export interface BalanceList {
  readonly rows: readonly BudgetBalance[];
  readonly total: number;
}

/** The balances of the current window of a budget with `each`, those first that have used most of the limit. */
export const useBalances = (id: string): UseInfiniteQueryResult<BalanceList> =>
  useInfiniteQuery({
    queryKey: QUERY_KEYS.balances(id),
    queryFn: ({ pageParam }) => balancesFrom(id, pageParam, BALANCES_PAGE),
    initialPageParam: 0,
    getNextPageParam: ({ data }, pages) => (data.length < BALANCES_PAGE ? undefined : pages.length * BALANCES_PAGE),
    select: ({ pages }) => ({ rows: pages.flatMap(({ data }) => data), total: pages.at(-1)!.total_count }),
  });

export const budgetsChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.budgets });

import { useInfiniteQuery, useQuery, type UseInfiniteQueryResult, type UseQueryResult } from '@tanstack/react-query';
import { readNames, type NameKind } from '../names/name-store';
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

/** For a budget with `each`, also the balance with the highest used share of its limit in the current window. */
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

const NAMED: Readonly<Partial<Record<ScopeMember, NameKind>>> = {
  workspace_id: 'workspaces',
  user_id: 'users',
  api_key_hash: 'api_keys',
};

/**
 * Reads the names before the budgets are shown: the tree places a key's budget under the workspace of the key, which is
 * read with the key's name.
 */
async function readBudgetNames(entries: readonly BudgetEntry[]): Promise<void> {
  const ids: Partial<Record<NameKind, string[]>> = {};
  for (const { budget, highest } of entries) {
    const values = Object.entries(budget.scope) as [ScopeMember, string][];
    if (budget.each !== null && highest?.value !== undefined) values.push([budget.each, highest.value]);
    for (const [member, value] of values) {
      const kind = NAMED[member];
      if (kind) (ids[kind] ??= []).push(value);
    }
  }
  await readNames(ids);
}

async function allBudgets(): Promise<BudgetEntry[]> {
  const entries = await Promise.all((await allPages(PAGE, budgetsFrom)).map(withHighest));
  // Rows without names show ids.
  await readBudgetNames(entries).catch(() => undefined);
  return entries;
}

/** The budgets that the session may read, oldest first. */
export const useBudgets = (): UseQueryResult<BudgetEntry[]> =>
  useQuery({
    queryKey: QUERY_KEYS.budgets,
    queryFn: allBudgets,
    refetchInterval: REFRESH_MS,
  });

export interface BalanceList {
  readonly rows: readonly BudgetBalance[];
  readonly total: number;
}

/** The balances of the current window of a budget with `each`, sorted by the used share of the limit, highest first. */
export const useBalances = (id: string): UseInfiniteQueryResult<BalanceList> =>
  useInfiniteQuery({
    queryKey: QUERY_KEYS.balances(id),
    queryFn: ({ pageParam }) => balancesFrom(id, pageParam, BALANCES_PAGE),
    initialPageParam: 0,
    getNextPageParam: ({ data }, pages) => (data.length < BALANCES_PAGE ? undefined : pages.length * BALANCES_PAGE),
    select: ({ pages }) => ({ rows: pages.flatMap(({ data }) => data), total: pages.at(-1)!.total_count }),
  });

export const budgetsChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.budgets });

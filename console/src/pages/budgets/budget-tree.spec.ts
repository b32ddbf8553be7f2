import type { BudgetEntry } from '../../api/budgets';
import type { BudgetRecord } from '../../api/records';
import { pathOf, rowsByShare, treeRows } from './budget-tree';
import { highestUse, usageOf } from './budget-use';

const sums = { spent_usd: 0, byok_spent_usd: 0, reserved_usd: 0 };

const entry = (budget: Partial<BudgetRecord>, used = 0): BudgetEntry => ({
  budget: {
    id: 'b',
    name: null,
    scope: {},
    each: null,
    interval: 'weekly',
    limit_usd: 10,
    effective_limit_usd: 10,
    remaining_usd: null,
    resets_at: null,
    soft: false,
    include_byok: false,
    raise: null,
    created_at: '2026-11-27T00:00:00Z',
    updated_at: null,
    ...sums,
    spent_usd: used,
    ...budget,
  },
  highest: null,
});

const workspaceOf = (hash: string): string | undefined => (hash === 'known' ? 'w1' : undefined);
const words = (path: ReturnType<typeof pathOf>): string =>
  path.map(({ member, value }) => `${member}=${value ?? '*'}`).join(' ');

describe('the tree of budgets', () => {
  it.each([
    ['a workspace', { scope: { workspace_id: 'w1' } }, 'workspace_id=w1'],
    ['a member', { scope: { user_id: 'u' } }, 'account=* user_id=u'],
    [
      'a model of a member in a workspace',
      { scope: { model: 'm', user_id: 'u', workspace_id: 'w1' } },
      'workspace_id=w1 user_id=u model=m',
    ],
    ['a key, below its workspace', { scope: { api_key_hash: 'known' } }, 'workspace_id=w1 api_key_hash=known'],
    ['a key of an unknown workspace', { scope: { api_key_hash: 'other' } }, 'account=* api_key_hash=other'],
    ['each end user', { each: 'end_user' as const }, 'account=* end_user=*'],
    [
      'each member of a workspace',
      { scope: { workspace_id: 'w1' }, each: 'user_id' as const },
      'workspace_id=w1 user_id=*',
    ],
    ['each workspace', { each: 'workspace_id' as const }, 'workspace_id=*'],
  ])('has a path for the budget of %s', (_, budget, path) => {
    expect(words(pathOf(entry(budget), workspaceOf))).toBe(path);
  });

  const entries = [
    entry({ id: 'low', scope: { workspace_id: 'w1' } }, 1),
    entry({ id: 'day', scope: { workspace_id: 'w2' }, interval: 'daily' }, 2),
    entry({ id: 'life', scope: { workspace_id: 'w1' }, interval: 'lifetime' }, 0),
    entry({ id: 'high', scope: { api_key_hash: 'known' } }, 9),
  ];
  const ids = (rows: ReturnType<typeof treeRows>): string[] =>
    rows.map((row) => row.entries.map(({ budget }) => budget.id).join('+'));

  it('has one row for all intervals of a scope, and lists the branch with the highest used share first', () => {
    expect(ids(treeRows(entries, workspaceOf, () => false))).toEqual(['low+life', 'high', 'day']);
  });

  it('hides rows below a closed branch', () => {
    expect(ids(treeRows(entries, workspaceOf, (id) => id === '/workspace_id=w1'))).toEqual(['low+life', 'day']);
  });

  it('can be shown as a list in the order of the used shares', () => {
    expect(ids(rowsByShare(entries, workspaceOf))).toEqual(['high', 'day', 'low', 'life']);
  });
});

describe('the used share of a budget', () => {
  const of = (part: Partial<BudgetRecord>) => usageOf({ ...sums, ...part }, entry(part).budget);

  it.each([
    ['free below 80 percent', { spent_usd: 7.999_999_999 }, 'free'],
    ['near the limit from 80 percent', { spent_usd: 7, reserved_usd: 1 }, 'near'],
    ['near the limit if nearly the whole limit is used', { spent_usd: 9.999_999_999 }, 'near'],
    ['reached together with the reserved amount', { spent_usd: 9.7, reserved_usd: 0.3 }, 'reached'],
    ['reached if the spend is above the limit', { spent_usd: 11 }, 'reached'],
    ['free if spend on own credentials does not count', { byok_spent_usd: 10 }, 'free'],
    ['reached if spend on own credentials counts', { byok_spent_usd: 10, include_byok: true }, 'reached'],
    ['free with a raise', { spent_usd: 10, effective_limit_usd: 20 }, 'free'],
  ])('determines the state of the budget: %s', (_, part, state) => {
    expect(of(part).state).toBe(state);
  });

  it('is computed without floating-point errors', () => {
    expect(of({ spent_usd: 0.1, byok_spent_usd: 0.2, include_byok: true, effective_limit_usd: 0.3 })).toMatchObject({
      spent: 0.3,
      share: 1,
    });
  });

  it('is the share of the value with the highest spend if the budget limits each value', () => {
    const { budget } = entry({ each: 'end_user' }, 30);
    expect(highestUse({ budget, highest: null }).share).toBe(0);
    expect(highestUse({ budget, highest: { window_start: null, window_end: null, ...sums, spent_usd: 4 } }).share).toBe(
      0.4,
    );
  });
});

import { AccountBudgets, type MatchedBudget } from './account-budgets.js';

const budget = (no: number, columns: Partial<MatchedBudget>): MatchedBudget => ({
  no,
  rank: no,
  account_no: 1,
  scope: {},
  each: null,
  counts_byok: false,
  is_soft: false,
  ...columns,
});

describe('the budgets of an account', () => {
  it('are matched to each call separately, even if the end user of a call contains a line break', () => {
    const budgets = new AccountBudgets([budget(3, { each: 'end_user' }), budget(5, { scope: { workspace: 7 } })]);
    budgets.of({ workspace: [8], end_user: ['anna\n5:'] });

    expect(budgets.of({ workspace: [7], end_user: ['anna'] })?.all.map(({ no }) => no)).toEqual([3, 5]);
  });
});

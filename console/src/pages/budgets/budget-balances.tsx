import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBalances, type ScopeMember } from '../../api/budgets';
import type { BudgetBalance, BudgetRecord } from '../../api/records';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { exactUsd } from '../../format/amounts';
import { usageOf } from './budget-use';
import { eachWords, MEMBER_WORDS, type BudgetNames } from './budget-words';
import { UsageBar, UsageState } from './usage-bar';

interface BudgetBalancesProps {
  readonly budget: BudgetRecord;
  readonly each: ScopeMember;
  readonly names: BudgetNames;
}

/** The values of `each` in the current window, those first that have used most of the limit. */
export function BudgetBalances({ budget, each, names }: BudgetBalancesProps): ReactNode {
  const balances = useBalances(budget.id);
  const nameOf = ({ value = '' }: BudgetBalance): string => names.ofValue(each, value);
  const columns: readonly Column<BudgetBalance>[] = [
    { header: MEMBER_WORDS[each], cell: nameOf },
    {
      header: 'Used',
      cell: (row) => (
        <Stack gap={4}>
          <UsageBar use={usageOf(row, budget)} label={`Used of the limit: ${nameOf(row)}`} />
          <UsageState use={usageOf(row, budget)} isSoft={budget.soft} />
        </Stack>
      ),
    },
    { header: 'Spent', cell: (row) => exactUsd(usageOf(row, budget).spent), isNumeric: true },
    { header: 'Reserved', cell: ({ reserved_usd }) => exactUsd(reserved_usd), isNumeric: true },
  ];
  return (
    <Loaded query={balances}>
      {({ rows, total }) => (
        <Stack gap="xs">
          <DataTable
            label={`${eachWords(each)}, by use`}
            columns={columns}
            rows={rows}
            rowKey={({ value }) => value ?? ''}
            empty="Nothing is spent in this window."
          />
          {total > 0 && (
            <Group gap="xs">
              <Text size="sm" c="dimmed">
                {rows.length} of {total}
              </Text>
              {balances.hasNextPage && (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={balances.isFetchingNextPage}
                  onClick={() => void balances.fetchNextPage()}
                >
                  Show more
                </Button>
              )}
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

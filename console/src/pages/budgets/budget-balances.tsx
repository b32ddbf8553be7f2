import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useBalances, type ScopeMember } from '../../api/budgets';
import type { BudgetBalance, BudgetRecord } from '../../api/records';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { exactUsd, usd } from '../../format/amounts';
import { usageOf } from './budget-use';
import { eachWords, MEMBER_WORDS, type BudgetNames } from './budget-words';
import { UsageBar, UsageState } from './usage-bar';
import { t } from '../../text/translate';

interface BudgetBalancesProps {
  readonly budget: BudgetRecord;
  readonly each: ScopeMember;
  readonly names: BudgetNames;
}

const amountOf = (amount: number): ReactNode => <span title={exactUsd(amount)}>{usd(amount)}</span>;

/** The values of `each` in the current window, sorted by the used share of the limit, highest first. */
export function BudgetBalances({ budget, each, names }: BudgetBalancesProps): ReactNode {
  const balances = useBalances(budget.id);
  const nameOf = ({ value = '' }: BudgetBalance): string => names.ofValue(each, value);
  const columns: readonly Column<BudgetBalance>[] = [
    { header: MEMBER_WORDS[each], cell: nameOf },
    {
      header: t('Used'),
      cell: (row) => (
        <Stack gap={4}>
          <UsageBar use={usageOf(row, budget)} label={t('Used of the limit: {row}', { row: nameOf(row) })} />
          <UsageState use={usageOf(row, budget)} isSoft={budget.soft} />
        </Stack>
      ),
    },
    { header: t('Spent'), cell: (row) => amountOf(usageOf(row, budget).spent), isNumeric: true },
    { header: t('Reserved'), cell: ({ reserved_usd }) => amountOf(reserved_usd), isNumeric: true },
  ];
  return (
    <Loaded query={balances}>
      {({ rows, total }) => (
        <Stack gap="xs">
          <DataTable
            label={t('{each}, by use', { each: eachWords(each) })}
            columns={columns}
            rows={rows}
            rowKey={({ value }) => value ?? ''}
            empty={t('Nothing is spent in this window.')}
          />
          {total > 0 && (
            <Group gap="xs">
              <Text size="sm" c="dimmed">
                {t('{rows} of {total}', { rows: rows.length, total })}
              </Text>
              {balances.hasNextPage && (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={balances.isFetchingNextPage}
                  onClick={() => void balances.fetchNextPage()}
                >
                  {t('Show more')}
                </Button>
              )}
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

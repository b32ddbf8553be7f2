import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId, type ReactNode } from 'react';
import type { BudgetEntry } from '../../api/budgets';
import type { BudgetRecord } from '../../api/records';
import { exactUsd, usd } from '../../format/amounts';
import { ago, toTheMinute } from '../../format/times';
import { BudgetActions } from './budget-actions';
import { BudgetBalances } from './budget-balances';
import { highestUse } from './budget-use';
import { eachWords, INTERVAL_WORDS, MEMBER_WORDS, type BudgetNames } from './budget-words';
import { UsageBar, UsageState, usageWords } from './usage-bar';
import { t } from '../../text/translate';

interface BudgetCardProps {
  readonly entry: BudgetEntry;
  /** The scope in words. */
  readonly subject: string;
  readonly names: BudgetNames;
  readonly canWrite: boolean;
}

/** One budget: its bar, its reset, and its actions. */
export function BudgetCard({ entry, subject, names, canWrite }: BudgetCardProps): ReactNode {
  const { budget } = entry;
  const { each, interval, name, soft: isSoft } = budget;
  const [isOpen, { toggle }] = useDisclosure();
  const listId = useId();
  const use = highestUse(entry);
  const label = `${subject}, ${interval}`;
  return (
    <Paper
      withBorder
      p="sm"
      component="article"
      aria-label={label}
      className="budget-card"
      data-wide={isOpen || undefined}
    >
      <div className="budget-parts">
        <Group gap="xs">
          <Text fw={600} size="sm" className="wrap" miw={0}>
            {INTERVAL_WORDS[interval]}
            {name !== null && ` · ${name}`}
          </Text>
          {isSoft && (
            <Badge variant="default" tt="none">
              {t('Soft: never refuses')}
            </Badge>
          )}
        </Group>
        <Stack gap={6} miw={0}>
          <UsageBar use={use} label={t('Used of the limit: {label}', { label })} />
          <UsageState use={use} isSoft={isSoft} hasAmounts={each === null} />
          {each !== null && (
            <Text size="sm" className="wrap" title={exactUsd(use.limit)}>
              {`${eachWords(each)}: ${usd(use.limit)}. ${highestWords(entry, names)}`}
            </Text>
          )}
          <BudgetTimes budget={budget} />
        </Stack>
        <Group gap="xs">
          {each !== null && (
            <Button
              variant="default"
              size="compact-sm"
              w="fit-content"
              onClick={toggle}
              aria-expanded={isOpen}
              aria-controls={listId}
              aria-label={`${isOpen ? t('Hide') : t('Show')} ${eachWords(each).toLowerCase()}: ${label}`}
            >
              {isOpen ? t('Hide') : t('Show')} {eachWords(each).toLowerCase()}
            </Button>
          )}
          {canWrite && <BudgetActions budget={budget} subject={label} />}
        </Group>
        <div id={listId} className="budget-balances">
          {isOpen && each !== null && <BudgetBalances budget={budget} each={each} names={names} />}
        </div>
      </div>
    </Paper>
  );
}

function highestWords(entry: BudgetEntry, { ofValue }: BudgetNames): string {
  const { budget, highest } = entry;
  if (highest?.value === undefined || budget.each === null) return t('Nothing is spent yet.');
  const value = `${MEMBER_WORDS[budget.each].toLowerCase()} ${ofValue(budget.each, highest.value)}`;
  return t('Highest: {value}, {entry}.', { value, entry: usageWords(highestUse(entry)) });
}

function BudgetTimes({
  budget: { resets_at: resets, raise, remaining_usd: left },
}: {
  readonly budget: BudgetRecord;
}): ReactNode {
  return (
    <>
      <Text size="sm" c="dimmed" title={left === null ? undefined : t('{left} left.', { left: exactUsd(left) })}>
        {left !== null && `${t('{left} left.', { left: usd(left) })} `}
        {resets === null
          ? t('Never resets.')
          : t('Resets {distance}, on {time}.', { distance: ago(resets), time: toTheMinute(resets) })}
      </Text>
      {raise && (
        <Text size="sm">
          {t('Raised by {amount} until {until}.', { amount: usd(raise.amount_usd), until: toTheMinute(raise.until) })}
        </Text>
      )}
    </>
  );
}

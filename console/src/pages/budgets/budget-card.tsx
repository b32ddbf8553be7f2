import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useId, type ReactNode } from 'react';
import type { BudgetEntry } from '../../api/budgets';
import type { BudgetRecord } from '../../api/records';
import { exactUsd } from '../../format/amounts';
import { ago, moment } from '../../format/times';
import { BudgetActions } from './budget-actions';
import { BudgetBalances } from './budget-balances';
import { highestUse } from './budget-use';
import { eachWords, INTERVAL_WORDS, MEMBER_WORDS, type BudgetNames } from './budget-words';
import { UsageBar, UsageState, usageWords } from './usage-bar';

interface BudgetCardProps {
  readonly entry: BudgetEntry;
  /** The scope in words. */
  readonly subject: string;
  readonly names: BudgetNames;
  readonly canWrite: boolean;
}

/** One budget: its bar, when it resets, and what can be done with it. */
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
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text fw={600} size="sm" className="wrap" miw={0}>
            {INTERVAL_WORDS[interval]}
            {name !== null && ` · ${name}`}
          </Text>
          {isSoft && (
            <Badge variant="default" tt="none">
              Soft: never refuses
            </Badge>
          )}
        </Group>
        <UsageBar use={use} label={`Used of the limit: ${label}`} />
        <UsageState use={use} isSoft={isSoft} />
        <Text size="sm" className="wrap">
          {each === null
            ? usageWords(use)
            : `${eachWords(each)}: ${exactUsd(use.limit)}. ${highestWords(entry, names)}`}
        </Text>
        <BudgetTimes budget={budget} />
        {each !== null && (
          <Button
            variant="default"
            size="compact-sm"
            w="fit-content"
            onClick={toggle}
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-label={`${isOpen ? 'Hide' : 'Show'} ${eachWords(each).toLowerCase()}: ${label}`}
          >
            {isOpen ? 'Hide' : 'Show'} {eachWords(each).toLowerCase()}
          </Button>
        )}
        <div id={listId}>{isOpen && each !== null && <BudgetBalances budget={budget} each={each} names={names} />}</div>
        {canWrite && <BudgetActions budget={budget} subject={label} />}
      </Stack>
    </Paper>
  );
}

function highestWords(entry: BudgetEntry, { ofValue }: BudgetNames): string {
  const { budget, highest } = entry;
  if (highest?.value === undefined || budget.each === null) return 'Nothing is spent yet.';
  const value = `${MEMBER_WORDS[budget.each].toLowerCase()} ${ofValue(budget.each, highest.value)}`;
  return `Highest: ${value}, ${usageWords(highestUse(entry))}.`;
}

function BudgetTimes({
  budget: { resets_at: resets, raise, remaining_usd: left },
}: {
  readonly budget: BudgetRecord;
}): ReactNode {
  return (
    <>
      <Text size="sm" c="dimmed">
        {left !== null && `${exactUsd(left)} left. `}
        {resets === null ? 'Never resets.' : `Resets ${ago(resets)}, on ${moment(resets)}.`}
      </Text>
      {raise && (
        <Text size="sm">
          Raised by {exactUsd(raise.amount_usd)} until {moment(raise.until)}.
        </Text>
      )}
    </>
  );
}

import { Badge, Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactUsd, share, usd } from '../../format/amounts';
import type { BudgetUse } from './budget-use';
import { t } from '../../text/translate';

interface UsageProps {
  readonly use: BudgetUse;
  readonly isSoft: boolean;
}

const percent = (part: number): string => `${Math.min(100, part * 100)}%`;

/** The spent and reserved parts of a limit. */
export function UsageBar({ use, label }: { readonly use: BudgetUse; readonly label: string }): ReactNode {
  const { spent, reserved, limit, state } = use;
  return (
    <div
      className="usage-bar"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.floor(use.share * 100))}
      aria-valuetext={t('{share} of the limit', { share: share(use.share) })}
    >
      <Box className="usage-bar-spent" data-state={state} w={percent(spent / limit)} />
      <Box className="usage-bar-reserved" data-state={state} w={percent(reserved / limit)} />
    </div>
  );
}

interface UsageStateProps extends UsageProps {
  /** Whether to show the amounts too. */
  readonly hasAmounts?: boolean;
}

/** The distance to the limit, in words and by colour. */
export function UsageState({ use, isSoft, hasAmounts = false }: UsageStateProps): ReactNode {
  const { state, share: used } = use;
  const reached = isSoft ? t('Soft limit reached') : t('Limit reached');
  return (
    <Group gap={6}>
      {state !== 'free' && (
        <Badge color={state === 'reached' ? 'red' : 'orange'} variant="outline" tt="none">
          {state === 'reached' ? reached : t('Near the limit')}
        </Badge>
      )}
      <Text size="sm" className="figures" title={hasAmounts ? usageWords(use, exactUsd) : undefined}>
        {t('{used} used', { used: share(used) })}
        {hasAmounts && ` · ${usageWords(use)}`}
      </Text>
    </Group>
  );
}

/** A text such as "$12.25 of $50.00 spent, $0.03 reserved". */
export const usageWords = ({ spent, reserved, limit }: BudgetUse, format: (amount: number) => string = usd): string =>
  t('{spent} of {limit} spent{reserved}', {
    spent: format(spent),
    limit: format(limit),
    reserved: reserved > 0 ? `, ${t('{reserved} reserved', { reserved: format(reserved) })}` : '',
  });

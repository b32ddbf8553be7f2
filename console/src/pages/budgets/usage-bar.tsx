import { Badge, Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactUsd, share } from '../../format/amounts';
import type { BudgetUse } from './budget-use';

interface UsageProps {
  readonly use: BudgetUse;
  readonly isSoft: boolean;
}

const percent = (part: number): string => `${Math.min(100, part * 100)}%`;

/** What is spent and reserved of a limit. */
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
      aria-valuetext={`${share(use.share)} of the limit`}
    >
      <Box className="usage-bar-spent" data-state={state} w={percent(spent / limit)} />
      <Box className="usage-bar-reserved" data-state={state} w={percent(reserved / limit)} />
    </div>
  );
}

/** How near the limit is, in words and by colour. */
export function UsageState({ use: { state, share: used }, isSoft }: UsageProps): ReactNode {
  const reached = isSoft ? 'Soft limit reached' : 'Limit reached';
  return (
    <Group gap={6}>
      {state !== 'free' && (
        <Badge color={state === 'reached' ? 'red' : 'orange'} variant="outline" tt="none">
          {state === 'reached' ? reached : 'Near the limit'}
        </Badge>
      )}
      <Text size="sm">{share(used)} used</Text>
    </Group>
  );
}

/** Such as "$12.25 of $50.00 spent, $0.03 reserved". */
export const usageWords = ({ spent, reserved, limit }: BudgetUse): string =>
  `${exactUsd(spent)} of ${exactUsd(limit)} spent${reserved > 0 ? `, ${exactUsd(reserved)} reserved` : ''}`;

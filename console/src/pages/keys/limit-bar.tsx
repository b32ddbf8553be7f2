import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { KeySummary } from '../../api/records';
import { share, usd } from '../../format/amounts';

/** From here on a limit is near. */
const NEAR = 0.8;

interface LimitBarProps {
  readonly limit: Pick<KeySummary, 'name' | 'limit' | 'limit_used' | 'limit_reset' | 'limit_remaining'>;
}

/** How much of the limit of a key is used. */
export function LimitBar({
  limit: { name, limit, limit_used, limit_reset, limit_remaining },
}: LimitBarProps): ReactNode {
  if (limit === null || limit_used === null) return <Text inherit>No limit</Text>;
  const state = limit_used >= 1 ? 'reached' : limit_used >= NEAR ? 'near' : 'free';
  const reset = limit_reset === null ? '' : ` ${limit_reset}`;
  return (
    <div className="limit-bar">
      <Text size="xs">{`${usd(limit_remaining)} left of ${usd(limit)}${reset}`}</Text>
      <div
        className="usage-bar"
        role="meter"
        aria-label={`Used of the limit of ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.floor(limit_used * 100))}
        aria-valuetext={`${share(limit_used)} of the limit`}
      >
        <Box className="usage-bar-spent" data-state={state} w={`${Math.min(100, limit_used * 100)}%`} />
      </div>
    </div>
  );
}

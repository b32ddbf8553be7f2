import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { KeySummary } from '../../api/records';
import { share, usd } from '../../format/amounts';
import { t } from '../../text/translate';
import { resetWord } from '../../format/resets';

/** From this share on, a limit is near. */
const NEAR = 0.8;

interface LimitBarProps {
  readonly limit: Pick<KeySummary, 'name' | 'limit' | 'limit_used' | 'limit_reset' | 'limit_remaining'>;
}

/** The used part of a key's limit. */
export function LimitBar({
  limit: { name, limit, limit_used, limit_reset, limit_remaining },
}: LimitBarProps): ReactNode {
  if (limit === null || limit_used === null) return <Text inherit>{t('No limit')}</Text>;
  const state = limit_used >= 1 ? 'reached' : limit_used >= NEAR ? 'near' : 'free';
  const reset = limit_reset === null ? '' : ` ${resetWord(limit_reset)}`;
  return (
    <div className="limit-bar">
      <Text size="xs">
        {t('{left} left of {limit}{reset}', { left: usd(limit_remaining), limit: usd(limit), reset })}
      </Text>
      <div
        className="usage-bar"
        role="meter"
        aria-label={t('Used of the limit of {name}', { name })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.floor(limit_used * 100))}
        aria-valuetext={t('{used} of the limit', { used: share(limit_used) })}
      >
        <Box className="usage-bar-spent" data-state={state} w={`${Math.min(100, limit_used * 100)}%`} />
      </div>
    </div>
  );
}

import { SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { analytics, numberOf, type AnalyticsFilters } from '../api/analytics';
import { ReadFault } from '../components/fault-alert';
import { Figure } from '../components/figure';
import { count, share, usd } from '../format/amounts';
import { useScope } from '../scope/use-scope';
import { TopList } from './top-list';
import { t } from '../text/translate';

const METRICS = ['credits_usage', 'byok_usage', 'request_count', 'error_rate', 'tokens_total'] as const;

interface SpendOfProps {
  /** The calls that are counted, such as those of one workspace or one member. */
  readonly filters: AnalyticsFilters;
  /** The dimension of the second ranking. */
  readonly by: 'api_key_id' | 'user' | 'workspace';
}

/**
 * Totals of the selected calls in the time range of the header, and the highest spends by model and by another
 * dimension.
 */
export function SpendOf({ filters, by }: SpendOfProps): ReactNode {
  const { time } = useScope();
  const totals = useQuery(analytics({ metrics: [...METRICS], filters, time_range: time }));
  if (totals.isError && totals.data === undefined)
    return <ReadFault error={totals.error} onRetry={() => void totals.refetch()} />;
  const row = totals.data?.rows[0];
  const textOf = (metric: string, format: (value: number) => string): string | null =>
    totals.data ? format(numberOf(row, metric)) : null;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, sm: 5 }} component="dl" m={0} data-old={totals.isPlaceholderData || undefined}>
        <Figure label={t('Spend')} value={textOf('credits_usage', usd)} />
        <Figure label={t('On own credentials')} value={textOf('byok_usage', usd)} />
        <Figure label={t('Requests')} value={textOf('request_count', count)} />
        <Figure label={t('Failed')} value={textOf('error_rate', share)} />
        <Figure label={t('Tokens')} value={textOf('tokens_total', count)} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <TopList first="model" filters={filters} time={time} />
        <TopList first={by} filters={filters} time={time} />
      </SimpleGrid>
    </Stack>
  );
}

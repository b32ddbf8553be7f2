import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { credits } from '../../api/credits';
import { useMay } from '../../api/session';
import { ReadFault } from '../../components/fault-alert';
import { Figure } from '../../components/figure';
import { ABSENT, usd } from '../../format/amounts';
import { useScope } from '../../scope/use-scope';
import { creditEnd, useSpendPerDay } from '../../spend/credit-end';
import { t } from '../../text/translate';

export function Balance(): ReactNode {
  const { asOf } = useScope();
  const query = useQuery(credits);
  const readsUsage = useMay('usage.sums');
  const burn = useSpendPerDay();
  if (query.isError && query.data === undefined)
    return <ReadFault error={query.error} onRetry={() => void query.refetch()} />;
  const { total_credits: granted, total_usage: spent } = query.data ?? {};
  const left = granted === undefined || spent === undefined ? undefined : granted - spent;
  const end = left === undefined || burn === undefined ? undefined : creditEnd(left, burn, asOf);
  const textOf = (amount: number | undefined): string | null => (amount === undefined ? null : usd(amount));
  return (
    <SimpleGrid cols={{ base: 2, sm: 5 }} component="dl" m={0}>
      <Figure label={t('Left')} value={textOf(left)} />
      <Figure label={t('Granted')} value={textOf(granted)} />
      <Figure label={t('Spent')} value={textOf(spent)} />
      {readsUsage && <Figure label={t('Spent a day')} value={textOf(burn)} more={t('last 7 days')} />}
      {readsUsage && <Figure label={t('Lasts until')} value={end === undefined ? null : (end ?? ABSENT)} />}
    </SimpleGrid>
  );
}

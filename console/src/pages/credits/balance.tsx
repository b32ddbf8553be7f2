import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { analytics, numberOf } from '../../api/analytics';
import { credits } from '../../api/credits';
import { useMay } from '../../api/session';
import { FaultAlert } from '../../components/fault-alert';
import { Figure } from '../../components/figure';
import { usd } from '../../format/amounts';
import { date } from '../../format/times';
import { useScope } from '../../scope/use-scope';
import { endOfCredits } from './burn';

const RATE_DAYS = 7;
const DAY_MS = 86_400_000;

/** What the account spends in a day, by the last seven. */
function useBurn(asOf: number): number | undefined {
  const readsUsage = useMay('usage.sums');
  const time_range = useMemo(
    () => ({ start: new Date(asOf - RATE_DAYS * DAY_MS).toISOString(), end: new Date(asOf).toISOString() }),
    [asOf],
  );
  const { data } = useQuery({ ...analytics({ metrics: ['credits_usage'], time_range }), enabled: readsUsage });
  return data && numberOf(data.rows[0], 'credits_usage') / RATE_DAYS;
}

export function Balance(): ReactNode {
  const { asOf } = useScope();
  const query = useQuery(credits);
  const burn = useBurn(asOf);
  if (query.isError && query.data === undefined)
    return <FaultAlert error={query.error} onRetry={() => void query.refetch()} />;
  const { total_credits: granted, total_usage: spent } = query.data ?? {};
  const left = granted === undefined || spent === undefined ? undefined : granted - spent;
  const end = left === undefined || burn === undefined ? undefined : endOfCredits(left, burn, asOf);
  const textOf = (amount: number | undefined): string | null => (amount === undefined ? null : usd(amount));
  return (
    <SimpleGrid cols={{ base: 2, sm: 5 }} component="dl" m={0}>
      <Figure label="Left" value={textOf(left)} />
      <Figure label="Granted" value={textOf(granted)} />
      <Figure label="Spent" value={textOf(spent)} />
      {burn !== undefined && <Figure label="Spent a day" value={usd(burn)} more="last 7 days" />}
      {burn !== undefined && left !== undefined && (
        <Figure label="Lasts until" value={end ? date(end.toISOString()) : 'not in sight'} />
      )}
    </SimpleGrid>
  );
}

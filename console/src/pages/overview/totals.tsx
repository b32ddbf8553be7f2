import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { analytics, inWorkspace, numberOf, type AnalyticsRow } from '../../api/analytics';
import { credits } from '../../api/credits';
import { useMay } from '../../api/session';
import { ReadFault } from '../../components/fault-alert';
import { Figure } from '../../components/figure';
import { ABSENT, count, milliseconds, share, usd } from '../../format/amounts';
import { rangeBefore } from '../../format/ranges';
import { useScope, type Scope } from '../../scope/use-scope';
import { creditEnd, useShownSpendPerDay } from '../../spend/credit-end';
import { t } from '../../text/translate';

const METRICS = [
  'credits_usage',
  'byok_usage',
  'request_count',
  'error_count',
  'error_rate',
  'p50_latency',
  'p99_latency',
] as const;

const latency = (row: AnalyticsRow | undefined, metric: string): string =>
  numberOf(row, 'request_count') === 0 ? ABSENT : milliseconds(row?.[metric] as number | null);

/** The sums of the time range, compared with the previous period of the same length. */
export function Totals({ workspace, time }: Pick<Scope, 'workspace' | 'time'>): ReactNode {
  const query = { metrics: [...METRICS], filters: inWorkspace(workspace) };
  const totals = useQuery(analytics({ ...query, time_range: time }));
  const former = useQuery(analytics({ ...query, time_range: rangeBefore(time) }));
  if (totals.isError && totals.data === undefined)
    return <ReadFault error={totals.error} onRetry={() => void totals.refetch()} />;
  const row = totals.data?.rows[0];
  const before = former.data?.rows[0];
  const isKnown = totals.data !== undefined;
  const valueOf = (text: string): string | null => (isKnown ? text : null);
  const changeOf = (metric: string): string | undefined => change(numberOf(row, metric), numberOf(before, metric));
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, xl: 7 }} component="dl" m={0} data-old={totals.isPlaceholderData || undefined}>
      <Figure
        label={t('Spend')}
        value={valueOf(usd(numberOf(row, 'credits_usage')))}
        more={before ? changeOf('credits_usage') : null}
      />
      <Figure label={t('On own credentials')} value={valueOf(usd(numberOf(row, 'byok_usage')))} />
      <Figure
        label={t('Requests')}
        value={valueOf(count(numberOf(row, 'request_count')))}
        more={before ? changeOf('request_count') : null}
      />
      <Figure
        label={t('Errors')}
        value={valueOf(count(numberOf(row, 'error_count')))}
        more={isKnown ? t('{share} of requests', { share: share(numberOf(row, 'error_rate')) }) : null}
      />
      <Figure label={t('Latency, p50')} value={valueOf(latency(row, 'p50_latency'))} />
      <Figure label={t('Latency, p99')} value={valueOf(latency(row, 'p99_latency'))} />
      <CreditsLeft spend={isKnown && !workspace ? numberOf(row, 'credits_usage') : undefined} time={time} />
    </SimpleGrid>
  );
}

/** A factor. A larger change is not shown, because then the previous period had almost no calls. */
const MAX_CHANGE = 10;

/** A text such as "+12% vs before". */
function change(now: number, before: number): string | undefined {
  const part = before === 0 ? Infinity : (now - before) / before;
  if (part > MAX_CHANGE) return undefined;
  return t('{change} vs before', { change: `${part >= 0 ? '+' : ''}${share(part)}` });
}

interface CreditsLeftProps extends Pick<Scope, 'time'> {
  /** The spend in all workspaces; undefined if unknown. */
  readonly spend: number | undefined;
}

/** The remaining credits and, if the shown time range is the one for forecasts, the day on which the credits end. */
function CreditsLeft({ spend, time }: CreditsLeftProps): ReactNode {
  const { asOf } = useScope();
  const readsCredits = useMay('credits.read');
  const { data } = useQuery({ ...credits, enabled: readsCredits });
  const perDay = useShownSpendPerDay(spend, time);
  if (!readsCredits) return null;
  const left = data && data.total_credits - data.total_usage;
  const end = left === undefined || perDay === undefined ? undefined : creditEnd(left, perDay, asOf);
  const until = end === null ? t('no end in sight') : end && t('until {day}', { day: end });
  return <Figure label={t('Credits left')} value={left === undefined ? null : usd(left)} more={until ?? null} />;
}

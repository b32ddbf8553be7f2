import { Alert, Group, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { analytics, inWorkspace, numberOf, type AnalyticsRow } from '../../api/analytics';
import { credits } from '../../api/credits';
import { useMay } from '../../api/session';
import { FaultAlert } from '../../components/fault-alert';
import { Figure } from '../../components/figure';
import { PageLink } from '../../components/page-link';
import { ABSENT, count, milliseconds, plural, share, usd } from '../../format/amounts';
import { rangeBefore } from '../../format/ranges';
import type { Scope } from '../../scope/use-scope';

const METRICS = [
  'credits_usage',
  'byok_usage',
  'request_count',
  'error_count',
  'error_rate',
  'p50_latency',
  'p99_latency',
] as const;
const DAY_MS = 86_400_000;
/** A forecast beyond this says nothing. */
const MAX_FORECAST_DAYS = 999;

const latency = (row: AnalyticsRow | undefined, metric: string): string =>
  numberOf(row, 'request_count') === 0 ? ABSENT : milliseconds(row?.[metric] as number | null);

/** The sums of the time, compared with as long a time before. */
export function Totals({ workspace, time }: Pick<Scope, 'workspace' | 'time'>): ReactNode {
  const query = { metrics: [...METRICS], filters: inWorkspace(workspace) };
  const totals = useQuery(analytics({ ...query, time_range: time }));
  const former = useQuery(analytics({ ...query, time_range: rangeBefore(time) }));
  if (totals.isError && totals.data === undefined)
    return <FaultAlert error={totals.error} onRetry={() => void totals.refetch()} />;
  const row = totals.data?.rows[0];
  const before = former.data?.rows[0];
  const isKnown = totals.data !== undefined;
  const valueOf = (text: string): string | null => (isKnown ? text : null);
  const changeOf = (metric: string): string | undefined => change(numberOf(row, metric), numberOf(before, metric));
  return (
    <>
      {isKnown && numberOf(row, 'request_count') === 0 && <NothingYet />}
      <SimpleGrid
        cols={{ base: 2, sm: 4, xl: 7 }}
        component="dl"
        m={0}
        data-old={totals.isPlaceholderData || undefined}
      >
        <Figure
          label="Spend"
          value={valueOf(usd(numberOf(row, 'credits_usage')))}
          more={before && changeOf('credits_usage')}
        />
        <Figure label="On own credentials" value={valueOf(usd(numberOf(row, 'byok_usage')))} />
        <Figure
          label="Requests"
          value={valueOf(count(numberOf(row, 'request_count')))}
          more={before && changeOf('request_count')}
        />
        <Figure
          label="Errors"
          value={valueOf(count(numberOf(row, 'error_count')))}
          more={isKnown ? share(numberOf(row, 'error_rate')) : undefined}
        />
        <Figure label="Latency, p50" value={valueOf(latency(row, 'p50_latency'))} />
        <Figure label="Latency, p99" value={valueOf(latency(row, 'p99_latency'))} />
        <CreditsLeft spend={numberOf(row, 'credits_usage')} time={time} isAll={workspace === undefined} />
      </SimpleGrid>
    </>
  );
}

/** More than this tells nothing: the time before had hardly any calls. */
const MAX_CHANGE = 10;

/** Such as "+12% on before". */
function change(now: number, before: number): string | undefined {
  const part = before === 0 ? Infinity : (now - before) / before;
  if (part > MAX_CHANGE) return undefined;
  return `${part >= 0 ? '+' : ''}${share(part)} on before`;
}

interface CreditsLeftProps extends Pick<Scope, 'time'> {
  readonly spend: number;
  /** Whether `spend` includes all workspaces. */
  readonly isAll: boolean;
}

/** What is left, and for how long at the rate of the time that is shown. */
function CreditsLeft({ spend, time, isAll }: CreditsLeftProps): ReactNode {
  const readsCredits = useMay('credits.read');
  const { data } = useQuery({ ...credits, enabled: readsCredits });
  if (!readsCredits) return null;
  const left = data && data.total_credits - data.total_usage;
  const perDay = spend / ((Date.parse(time.end) - Date.parse(time.start)) / DAY_MS);
  const days = left === undefined || !isAll || perDay <= 0 ? Infinity : Math.floor(left / perDay);
  const forecast = days >= 0 && days <= MAX_FORECAST_DAYS ? `about ${plural(days, 'day')}` : undefined;
  return <Figure label="Credits left" value={left === undefined ? null : usd(left)} more={forecast} />;
}

function NothingYet(): ReactNode {
  const canChat = useMay('inference');
  const canCreateKeys = useMay('keys.write');
  return (
    <Alert variant="outline" title="No calls in this time">
      <Group gap="md">
        {canChat && (
          <PageLink to="/playground" underline="always">
            Chat in the playground
          </PageLink>
        )}
        {canCreateKeys && (
          <PageLink to="/keys" underline="always">
            Create a key for a program
          </PageLink>
        )}
        <PageLink to="/models" underline="always">
          See which models can be called
        </PageLink>
      </Group>
    </Alert>
  );
}

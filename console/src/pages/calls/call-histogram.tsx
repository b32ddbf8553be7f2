import { Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, ReactNode } from 'react';
import { analytics, numberOf, type AnalyticsRow } from '../../api/analytics';
import type { AnalyticsQuery } from '../../api/records';
import { FaultAlert } from '../../components/fault-alert';
import { count, plural } from '../../format/amounts';
import { bucketTimes } from '../../format/buckets';
import { granularityOf } from '../../format/ranges';
import { bucketLabel } from '../../format/times';
import { useScope, useScopeChange } from '../../scope/use-scope';

const DAY_MS = 86_400_000;

interface CallHistogramProps {
  readonly filters: NonNullable<AnalyticsQuery['filters']>;
}

interface Bucket {
  readonly iso: string;
  readonly calls: number;
  readonly errors: number;
}

function bucketsOf(rows: readonly AnalyticsRow[], times: readonly number[], granularity: string): Bucket[] {
  const found = new Map(rows.map((row) => [Date.parse(String(row[`date__${granularity}`])), row]));
  return times.map((seconds) => {
    const row = found.get(seconds * 1_000);
    const errors = numberOf(row, 'error_count');
    return { iso: new Date(seconds * 1_000).toISOString(), calls: numberOf(row, 'request_count'), errors };
  });
}

/** The calls over time, failed ones apart. A bar leads to its day. */
export function CallHistogram({ filters }: CallHistogramProps): ReactNode {
  const { time, from, to } = useScope();
  const change = useScopeChange();
  const granularity = granularityOf(time);
  const sums = useQuery(
    analytics({ metrics: ['request_count', 'error_count'], granularity, time_range: time, filters }),
  );
  if (sums.error && !sums.data) return <FaultAlert error={sums.error} onRetry={() => void sums.refetch()} />;
  const buckets = bucketsOf(sums.data?.rows ?? [], bucketTimes({ granularity, ...time }), granularity);
  const [calls, errors] = [total(buckets, 'calls'), total(buckets, 'errors')];
  const isOneDay = from !== undefined && from === (to ?? from);
  const narrow = ({ iso }: Bucket): void => {
    const days = granularity === 'week' ? 6 : 0;
    const last = new Date(Date.parse(iso) + days * DAY_MS).toISOString();
    change({ range: undefined, from: iso.slice(0, 10), to: last.slice(0, 10) });
  };
  return (
    <Paper withBorder p="sm" className="histogram">
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" role="status">
          {sums.isPending ? 'Counting…' : `${plural(calls, 'call')}, ${count(errors)} failed`}
        </Text>
        <Text size="xs" c="dimmed">
          per {granularity} (UTC){isOneDay ? '' : ' · choose a bar to see its day'}
        </Text>
      </Group>
      <Bars buckets={buckets} granularity={granularity} onChoose={isOneDay ? undefined : narrow} />
    </Paper>
  );
}

const total = (buckets: readonly Bucket[], member: 'calls' | 'errors'): number =>
  buckets.reduce((sum, bucket) => sum + bucket[member], 0);

interface BarsProps {
  readonly buckets: readonly Bucket[];
  readonly granularity: string;
  readonly onChoose: ((bucket: Bucket) => void) | undefined;
}

/** One stop of the Tab key; the arrow keys move between the bars. */
function Bars({ buckets, granularity, onChoose }: BarsProps): ReactNode {
  const highest = Math.max(...buckets.map(({ calls }) => calls), 1);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 'nextElementSibling', ArrowLeft: 'previousElementSibling' }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = document.activeElement?.[step as 'nextElementSibling'];
    if (next instanceof HTMLElement) next.focus();
  };
  return (
    <div className="histogram-bars" role="group" aria-label="Calls over time" onKeyDown={onKeyDown}>
      {buckets.map((bucket, at) => {
        const calls = `${plural(bucket.calls, 'call')}, ${bucket.errors} failed`;
        const label = `${bucketLabel(bucket.iso, granularity)}: ${calls}`;
        return (
          <button
            key={bucket.iso}
            type="button"
            className="histogram-bar"
            title={label}
            aria-label={label}
            tabIndex={at === buckets.length - 1 ? 0 : -1}
            disabled={!onChoose}
            onClick={() => onChoose?.(bucket)}
          >
            <span data-failed style={{ height: `${(bucket.errors / highest) * 100}%` }} />
            <span style={{ height: `${((bucket.calls - bucket.errors) / highest) * 100}%` }} />
          </button>
        );
      })}
    </div>
  );
}

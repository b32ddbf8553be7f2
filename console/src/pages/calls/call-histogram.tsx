import { Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent, ReactNode } from 'react';
import { analytics, seriesOf, type AnalyticsRow } from '../../api/analytics';
import type { AnalyticsQuery } from '../../api/records';
import { useSeesOwnOnly } from '../../api/session';
import { ReadFault } from '../../components/fault-alert';
import { count } from '../../format/amounts';
import {
  requestedGranularity,
  bucketsOf,
  bucketTimes,
  choiceOfBucket,
  granularityWord,
  placeOf,
  type Buckets,
} from '../../format/buckets';
import { granularityOf } from '../../format/ranges';
import { bucketLabel } from '../../format/times';
import { useScope, useScopeChange } from '../../scope/use-scope';
import { plural, t } from '../../text/translate';

interface CallHistogramProps {
  readonly filters: NonNullable<AnalyticsQuery['filters']>;
}

interface Bucket {
  /** The start of the bucket, in seconds since 1970. */
  readonly time: number;
  readonly calls: number;
  readonly errors: number;
}

function countsOf(rows: readonly AnalyticsRow[], buckets: Buckets): Bucket[] {
  const [calls, errors] = (['request_count', 'error_count'] as const).map(
    (metric) => seriesOf(rows, buckets, metric, () => '').series[0]?.values,
  );
  return bucketTimes(buckets).map((time, at) => ({ time, calls: calls?.[at] ?? 0, errors: errors?.[at] ?? 0 }));
}

/** The calls over time, with failed ones separate. A click on a bar selects its time range. */
export function CallHistogram({ filters }: CallHistogramProps): ReactNode {
  const { time, zone } = useScope();
  const change = useScopeChange();
  const isOwn = useSeesOwnOnly();
  const buckets = bucketsOf(time, granularityOf(time), zone, true);
  const sums = useQuery(
    analytics({
      metrics: ['request_count', 'error_count'],
      // With the dimension of the key, the API counts only the caller's own calls, as the list does.
      ...(isOwn ? { dimensions: ['api_key_id'] } : {}),
      granularity: requestedGranularity(buckets) as AnalyticsQuery['granularity'],
      time_range: time,
      filters,
    }),
  );
  if (sums.error && !sums.data) return <ReadFault error={sums.error} onRetry={() => void sums.refetch()} />;
  const counts = countsOf(sums.data?.rows ?? [], buckets);
  const [calls, errors] = [total(counts, 'calls'), total(counts, 'errors')];
  const { granularity } = buckets;
  const isDivisible = granularity !== 'minute' && counts.length > 1;
  const canNarrow = isDivisible && (sums.isPending || calls > 0);
  const narrow = (bucket: Bucket): void => change({ range: undefined, ...choiceOfBucket(buckets, bucket.time, zone) });
  return (
    <Paper withBorder p="sm" className="histogram">
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm" role="status">
          {sums.isPending
            ? t('Counting…')
            : t('{calls}, {errors} failed', {
                calls: plural(calls, '{count} call', '{count} calls'),
                errors: count(errors),
              })}
        </Text>
        <Text size="xs" c="dimmed">
          {t('per {granularity}', { granularity: granularityWord(granularity) })}
          {placeOf(buckets, zone) === 'utc' && ' (UTC)'}
          {isDivisible && (
            // If there are no calls, the text is hidden instead of removed, so that the number of lines stays the same.
            <span style={canNarrow ? undefined : { visibility: 'hidden' }}>
              {` · ${t('choose a bar to see its {granularity}', { granularity: granularityWord(granularity) })}`}
            </span>
          )}
        </Text>
      </Group>
      <Bars buckets={counts} granularity={granularity} onChoose={canNarrow ? narrow : undefined} />
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

/** The bars. Tab moves the focus to one bar; the arrow keys move it to the other bars. */
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
    <div className="histogram-bars" role="group" aria-label={t('Calls over time')} onKeyDown={onKeyDown}>
      {buckets.map((bucket, at) => {
        const calls = t('{calls}, {errors} failed', {
          calls: plural(bucket.calls, '{count} call', '{count} calls'),
          errors: bucket.errors,
        });
        const label = `${bucketLabel(new Date(bucket.time * 1_000).toISOString(), granularity)}: ${calls}`;
        return (
          <button
            key={bucket.time}
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

import { useComputedColorScheme } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';

export interface Series {
  readonly label: string;
  /** One value per time; null = no value. */
  readonly values: readonly (number | null)[];
  /** Drawn dashed and grey, above the others: what is compared with. */
  readonly isReference?: boolean;
  /** Drawn in the colour of failures. */
  readonly isFailure?: boolean;
}

export interface ChartProps {
  /** Its accessible name, such as "Spend per day". */
  readonly label: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** `bars` are stacked. */
  readonly kind: 'bars' | 'lines';
  readonly format: (value: number) => string;
  /** The length of the buckets. */
  readonly granularity: string;
  /** Whether the last bucket is still running: it is hatched. */
  readonly isRunning?: boolean;
  /** Called with the bucket that was clicked, in seconds since 1970. */
  readonly onChoose?: (time: number) => void;
}

const Plot = lazy(() => import('./plot'));

/** What a chart shows, in words. */
function summary({ label, times, series, format }: ChartProps): string {
  const parts = series.map(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? `${label}: no values` : `${label}: up to ${format(Math.max(...known))}`;
  });
  return `${label}, ${times.length} points in time. ${parts.join('; ')}.`;
}

/** A time series. The drawing is loaded when the first chart is shown. */
export function Chart(props: ChartProps): ReactNode {
  const scheme = useComputedColorScheme('light');
  return (
    <figure className="chart" role="img" aria-label={summary(props)} style={{ margin: 0 }}>
      <Suspense fallback={null}>
        <Plot {...props} isDark={scheme === 'dark'} />
      </Suspense>
    </figure>
  );
}

import { useComputedColorScheme } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import { Placeholder } from '../components/placeholder';
import { t } from '../text/translate';

export interface Series {
  readonly label: string;
  /** One value per time; null = no value. */
  readonly values: readonly (number | null)[];
  /** Drawn dashed and grey, for comparison. */
  readonly isReference?: boolean;
  /** Drawn in the colour of failures. */
  readonly isFailure?: boolean;
}

export interface ChartProps {
  /** The accessible name of the chart, such as "Spend per day". */
  readonly label: string;
  /** Seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** `bars`: the series are stacked. */
  readonly kind: 'bars' | 'lines';
  readonly format: (value: number) => string;
  /** The length of the buckets. */
  readonly granularity: string;
  /** Whether the last bucket is incomplete. Its bar is hatched. */
  readonly isRunning?: boolean;
  /** Called with the bucket that was clicked, in seconds since 1970. */
  readonly onChoose?: (time: number) => void;
}

const Plot = lazy(() => import('./plot'));

/** The content of a chart in words. */
function summary({ label, times, series, format }: ChartProps): string {
  const parts = series.map(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0
      ? t('{label}: no values', { label })
      : t('{label}: up to {max}', { label, max: format(Math.max(...known)) });
  });
  return t('{label}, {times} points in time. {parts}.', { label, times: times.length, parts: parts.join('; ') });
}

const HEIGHT_PX = 240;

/** Shows time series. The code that draws them is loaded when the first chart is shown. */
export function Chart(props: ChartProps): ReactNode {
  const scheme = useComputedColorScheme('light');
  return (
    <Suspense fallback={<Placeholder h={HEIGHT_PX} />}>
      <figure className="chart" role="img" aria-label={summary(props)} style={{ margin: 0, minHeight: HEIGHT_PX }}>
        <Plot {...props} isDark={scheme === 'dark'} />
      </figure>
    </Suspense>
  );
}

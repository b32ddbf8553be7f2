import 'uplot/dist/uPlot.min.css';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo, useRef, type ReactNode } from 'react';
import UPlot from 'uplot';
import type { ChartProps, Series } from './chart';

const HEIGHT_PX = 240;
/** Distinguishable by readers with colour-blindness (Okabe and Ito). */
const COLOURS = ['#4c6ef5', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#b8a800', '#868e96'];
const BAR_WIDTH = 0.7;
const MAX_BAR_PX = 60;

/** Sums from the bottom: the last series is the lowest bar. */
function stacked(series: readonly Series[]): (number | null)[][] {
  const sums: number[] = [];
  return series
    .toReversed()
    .map(({ values }) => values.map((value, at) => (sums[at] = (sums[at] ?? 0) + (value ?? 0))))
    .toReversed();
}

function options(
  { series, kind, format, isDark, times }: ChartProps & { isDark: boolean },
  width: number,
): UPlot.Options {
  const ink = isDark ? '#c9c9c9' : '#495057';
  const grid = { stroke: isDark ? '#3b3b3b' : '#e9ecef', width: 1 };
  const axis = { stroke: ink, grid, ticks: grid };
  const bars = UPlot.paths.bars?.({ size: [BAR_WIDTH, MAX_BAR_PX] });
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: series.length > 1, live: false },
    cursor: { drag: { setScale: false } },
    scales: {
      x: { range: paddedRange(times, kind) },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.05 : 1] },
    },
    // Buckets are in UTC, and so are the labels.
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    axes: [
      { ...axis, incrs: tickSteps(times), values: (_plot, ticks, _axis, _space, step) => timeLabels(ticks, step) },
      { ...axis, size: axisWidth, values: (_plot, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      ...series.map(({ label }, at) => {
        const stroke = COLOURS[at % COLOURS.length]!;
        return kind === 'bars'
          ? { label, stroke, fill: stroke, paths: bars, points: { show: false } }
          : { label, stroke, width: 2, points: { show: times.length < 40, size: 5 }, spanGaps: false };
      }),
    ],
  };
}

const DAY = 86_400;
const TICK_STEPS = [60, 300, 900, 3_600, 10_800, 21_600, 43_200, DAY, 2 * DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY];

/** No finer than the buckets, in seconds. */
function tickSteps(times: readonly number[]): number[] {
  const bucket = times.length > 1 ? Math.min(times[1]! - times[0]!, DAY) : DAY;
  return TICK_STEPS.filter((step) => step >= bucket);
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const timeLabels = (ticks: readonly number[], step: number): string[] =>
  ticks.map((seconds) => (step < DAY && seconds % DAY !== 0 ? clock : day).format(seconds * 1_000));

const CHARACTER_PX = 7.5;
/** As wide as its widest label. */
const axisWidth = (_plot: UPlot, labels: string[] | null): number =>
  Math.max(...(labels ?? []).map(({ length }) => length), 4) * CHARACTER_PX + 16;

/** Half a bar more on both sides. */
function paddedRange(times: readonly number[], kind: ChartProps['kind']): UPlot.Scale.Range | undefined {
  if (kind === 'lines' || times.length === 0) return undefined;
  const step = times.length > 1 ? times[1]! - times[0]! : 3600;
  return [times[0]! - step / 2, times.at(-1)! + step / 2];
}

export default function Plot(props: ChartProps & { readonly isDark: boolean }): ReactNode {
  const { times, series, kind, isDark } = props;
  const target = useRef<HTMLDivElement>(null);
  const { ref, width } = useElementSize();
  const data = useMemo(
    () => [times, ...(kind === 'bars' ? stacked(series) : series.map(({ values }) => values))] as UPlot.AlignedData,
    [times, series, kind],
  );
  useEffect(() => {
    if (width === 0) return undefined;
    const plot = new UPlot(options(props, width), data, target.current!);
    return () => plot.destroy();
    // Not `props`: the formatting function is another at each rendering, and formats as before.
  }, [data, width, isDark]);
  return (
    <div ref={ref} style={{ minHeight: HEIGHT_PX }}>
      <div ref={target} />
    </div>
  );
}

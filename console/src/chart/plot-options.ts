import UPlot from 'uplot';
import { zone } from '../format/zone';
import type { ChartProps, Series } from './chart';

export const HEIGHT_PX = 240;
/** Distinguishable by readers with colour-blindness (Okabe and Ito). */
const COLOURS = ['#4c6ef5', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#b8a800', '#868e96'];
const REFERENCE_COLOUR = '#868e96';
const FAILURE_COLOUR = '#d55e00';
const BAR_WIDTH = 0.7;
const MAX_BAR_PX = 60;
const HATCH_STEP_PX = 7;

export function colourOf({ isReference, isFailure }: Series, at: number): string {
  if (isReference) return REFERENCE_COLOUR;
  return isFailure ? FAILURE_COLOUR : COLOURS[at % COLOURS.length]!;
}

/** Adds up the series from the bottom: the last series is the lowest bar. A reference is not added. */
export function stacked(series: readonly Series[]): (number | null)[][] {
  const sums: number[] = [];
  return series
    .toReversed()
    .map(({ values, isReference }) =>
      isReference ? [...values] : values.map((value, at) => (sums[at] = (sums[at] ?? 0) + (value ?? 0))),
    )
    .toReversed();
}

/** Days, weeks and months start in UTC, unless they were computed for the zone. */
const isUtc = (granularity: string, first: number | undefined): boolean =>
  zone() === 'utc' || (!['minute', 'hour'].includes(granularity) && (first ?? 0) % DAY === 0);

export interface PlotSetup {
  readonly props: ChartProps;
  readonly isDark: boolean;
  readonly width: number;
  /** Called with the index of the bucket below the pointer, or null. */
  readonly onPoint: (index: number | null) => void;
}

export function plotOptions({ props, isDark, width, onPoint }: PlotSetup): UPlot.Options {
  const { series, kind, format, times, granularity, isRunning } = props;
  const ink = isDark ? '#c9c9c9' : '#495057';
  const grid = { stroke: isDark ? '#3b3b3b' : '#e9ecef', width: 1 };
  const axis = { stroke: ink, grid, ticks: grid };
  const bars = UPlot.paths.bars?.({ size: [BAR_WIDTH, MAX_BAR_PX] });
  const inUtc = isUtc(granularity, times[0]);
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: series.length > 1, live: false },
    cursor: { y: false, drag: { setScale: false }, points: { show: kind === 'lines' } },
    scales: {
      x: { range: paddedRange(times, kind) },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.05 : 1] },
    },
    tzDate: (seconds) => (inUtc ? UPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC') : new Date(seconds * 1000)),
    axes: [
      {
        ...axis,
        incrs: tickSteps(times),
        values: (_plot, ticks, _axis, _space, step) => timeLabels(ticks, step, inUtc),
      },
      { ...axis, size: axisWidth, values: (_plot, ticks) => ticks.map(format) },
    ],
    hooks: {
      setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)],
      draw: isRunning && kind === 'bars' ? [(plot) => hatchLast(plot, isDark)] : [],
    },
    series: [
      {},
      ...series.map((each, at) => {
        const { label, isReference } = each;
        const stroke = colourOf(each, at);
        return kind === 'bars' && !isReference
          ? // Without a stroke, which would draw a line for a value of zero.
            { label, stroke, width: 0, fill: stroke, paths: bars, points: { show: false } }
          : {
              label,
              stroke,
              width: 2,
              points: { show: times.length < 40 && !isReference, size: 5 },
              spanGaps: false,
              ...(isReference ? { dash: [4, 4] } : {}),
            };
      }),
    ],
  };
}

/** Hatches the last bar, because its bucket is still running. */
function hatchLast(plot: UPlot, isDark: boolean): void {
  const times = plot.data[0];
  const last = times.at(-1);
  if (last === undefined) return;
  const step = times.length > 1 ? last - times.at(-2)! : 3600;
  const left = plot.valToPos(last - step / 2, 'x', true);
  const right = plot.valToPos(last + step / 2, 'x', true);
  const { ctx } = plot;
  const { top, height } = plot.bbox;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, right - left, height);
  ctx.clip();
  ctx.strokeStyle = isDark ? '#242424' : '#ffffff';
  ctx.lineWidth = 1.5 * devicePixelRatio;
  // Draws only inside the bar.
  ctx.globalCompositeOperation = 'source-atop';
  ctx.globalAlpha = 0.8;
  ctx.beginPath();
  for (let x = left - height; x < right; x += HATCH_STEP_PX * devicePixelRatio) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

const DAY = 86_400;
const TICK_STEPS = [60, 300, 900, 3_600, 10_800, 21_600, 43_200, DAY, 2 * DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY];

/** The steps of the ticks in seconds, no finer than the buckets. */
function tickSteps(times: readonly number[]): number[] {
  const bucket = times.length > 1 ? Math.min(times[1]! - times[0]!, DAY) : DAY;
  return TICK_STEPS.filter((step) => step >= bucket);
}

const styles = (timeZone: 'UTC' | undefined) => ({
  clock: new Intl.DateTimeFormat(undefined, { timeStyle: 'short', timeZone }),
  day: new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone }),
});
const IN_UTC = styles('UTC');
const LOCAL = styles(undefined);

function timeLabels(ticks: readonly number[], step: number, inUtc: boolean): string[] {
  const { clock, day } = inUtc ? IN_UTC : LOCAL;
  const isMidnight = (seconds: number): boolean =>
    inUtc ? seconds % DAY === 0 : new Date(seconds * 1_000).getHours() === 0;
  return ticks.map((seconds) => (step < DAY && !isMidnight(seconds) ? clock : day).format(seconds * 1_000));
}

const CHARACTER_PX = 7.5;
/** The width of the widest label. */
const axisWidth = (_plot: UPlot, labels: string[] | null): number =>
  Math.max(...(labels ?? []).map(({ length }) => length), 4) * CHARACTER_PX + 16;

/** Half a bar of additional space on both sides. */
function paddedRange(times: readonly number[], kind: ChartProps['kind']): UPlot.Scale.Range | undefined {
  if (kind === 'lines' || times.length === 0) return undefined;
  const step = times.length > 1 ? times[1]! - times[0]! : 3600;
  return [times[0]! - step / 2, times.at(-1)! + step / 2];
}

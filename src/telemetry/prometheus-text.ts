import { inSlices } from '../kernel/scheduling/slices.js';
import type { HistogramFamily, HistogramSample, Labels, MetricFamily } from './metric-family.js';

/** The number of lines that are printed between two yields, in about 0.1 ms. */
const MAX_LINES_PER_STEP = 100;

const TYPES = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const;
type TextFormat = keyof typeof TYPES;

/** The format that an Accept header prefers: OpenMetrics if listed, otherwise the Prometheus text format. */
export const formatFor = (accept: string | undefined): TextFormat =>
  /\bapplication\/openmetrics-text\b(?!\s*;[^,]*\bq=0(\.0*)?(\s*[,;]|$))/i.test(accept ?? '')
    ? 'openmetrics'
    : 'prometheus';

export const contentTypeOf = (format: TextFormat): string => TYPES[format];

/** Prints families in pieces, without blocking the event loop for longer than a time slice. */
export function printMetrics(families: readonly MetricFamily[], format: TextFormat): Promise<string[]> {
  const pieces: string[] = [];
  return inSlices(
    (function* (): Generator<void, string[], void> {
      for (const piece of printedPieces(families, format)) {
        pieces.push(piece);
        yield;
      }
      return pieces;
    })(),
  );
}

/**
 * Yields a piece when it has at least MAX_LINES_PER_STEP lines, and the rest at the end. The lines of one series are in
 * one piece.
 */
export function* printedPieces(families: readonly MetricFamily[], format: TextFormat): Generator<string, void, void> {
  let lines: string[] = [];
  for (const family of families) {
    lines.push(...headOf(family, format));
    for (const seriesLines of linesOf(family)) {
      lines.push(...seriesLines);
      if (lines.length < MAX_LINES_PER_STEP) continue;
      yield `${lines.join('\n')}\n`;
      lines = [];
    }
  }
  if (format === 'openmetrics') lines.push('# EOF');
  yield lines.length > 0 ? `${lines.join('\n')}\n` : '';
}

/** In OpenMetrics, the name of a counter lacks the suffix `_total`, which its samples have. */
function headOf({ name, help, type }: MetricFamily, format: TextFormat): string[] {
  const family = format === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name;
  const text = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return [`# HELP ${family} ${text}`, `# TYPE ${family} ${type}`];
}

function* linesOf(family: MetricFamily): Generator<string[], void, void> {
  if (family.type === 'histogram') {
    for (const sample of family.samples) yield histogramLines(family, sample);
    return;
  }
  for (const { labels, value } of family.samples) yield [`${family.name}${bracketed(labelsText(labels))} ${value}`];
}

function histogramLines({ name, bounds }: HistogramFamily, sample: HistogramSample): string[] {
  const labels = labelsText(sample.labels);
  const begin = `${name}_bucket{${labels === '' ? '' : `${labels},`}le="`;
  return [
    ...bounds.map((bound, at) => `${begin}${bound}"} ${sample.cumulative[at]!}`),
    `${begin}+Inf"} ${sample.count}`,
    `${name}_sum${bracketed(labels)} ${sample.sum}`,
    `${name}_count${bracketed(labels)} ${sample.count}`,
  ];
}

const bracketed = (labels: string): string => (labels === '' ? '' : `{${labels}}`);

const labelsText = (labels: Labels): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');

const escaped = (value: string): string =>
  /["\\\n]/.test(value) ? value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n') : value;

import type { MetricFamily } from './metric-family.js';
import { formatFor, printedPieces, printMetrics } from './prometheus-text.js';

const histogram: MetricFamily = {
  type: 'histogram',
  name: 'time_seconds',
  help: 'A time.',
  bounds: [0.1, 1],
  samples: [{ labels: { model: 'a' }, cumulative: [1, 2], count: 3, sum: '4.000000001' }],
};
const textOf = async (family: MetricFamily, format: 'prometheus' | 'openmetrics' = 'prometheus'): Promise<string> =>
  (await printMetrics([family], format)).join('');

describe('the text of metrics', () => {
  it('has the lines of a histogram, with exact decimals', async () => {
    expect(await textOf(histogram)).toBe(
      [
        '# HELP time_seconds A time.',
        '# TYPE time_seconds histogram',
        'time_seconds_bucket{model="a",le="0.1"} 1',
        'time_seconds_bucket{model="a",le="1"} 2',
        'time_seconds_bucket{model="a",le="+Inf"} 3',
        'time_seconds_sum{model="a"} 4.000000001',
        'time_seconds_count{model="a"} 3',
        '',
      ].join('\n'),
    );
  });

  it('escapes label values and help, so that they cannot begin another line', async () => {
    const text = await textOf({
      type: 'counter',
      name: 'calls_total',
      help: 'A \\ and\na line',
      samples: [{ labels: { model: 'a"b\\c\nd' }, value: 1 }],
    });
    expect(text.split('\n')).toEqual([
      '# HELP calls_total A \\\\ and\\na line',
      '# TYPE calls_total counter',
      'calls_total{model="a\\"b\\\\c\\nd"} 1',
      '',
    ]);
  });

  it('names a counter without _total in OpenMetrics, and ends with EOF', async () => {
    const family: MetricFamily = { type: 'counter', name: 'c_total', help: 'C.', samples: [{ labels: {}, value: 2 }] };
    expect(await textOf(family, 'openmetrics')).toBe('# HELP c C.\n# TYPE c counter\nc_total 2\n# EOF\n');
  });

  it('comes in pieces of bounded length, and other work can run between them', () => {
    const samples = Array.from({ length: 2_000 }, (_, n) => ({ labels: { model: `model-${n}` }, value: n }));
    const pieces = [...printedPieces([{ type: 'gauge', name: 'g', help: 'G.', samples }], 'prometheus')];
    const lengths = pieces.map((piece) => piece.split('\n').length - 1);
    expect(lengths.reduce((sum, length) => sum + length)).toBe(2_002);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(120);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(4_096);
  });

  it.each([
    [undefined, 'prometheus'],
    ['*/*', 'prometheus'],
    ['text/plain;version=0.0.4', 'prometheus'],
    ['application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3', 'openmetrics'],
    ['application/openmetrics-text;q=0,text/plain', 'prometheus'],
  ])('for the Accept header %s has the format %s', (accept, format) => {
    expect(formatFor(accept)).toBe(format);
  });
});

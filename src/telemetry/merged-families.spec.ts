import { HistogramCells } from './cells.js';
import { mergedFamilies } from './merged-families.js';
import { single, type MetricFamily } from './metric-family.js';

const counter = (samples: readonly [string, number][]): MetricFamily => ({
  type: 'counter',
  name: 'calls_total',
  help: 'Calls.',
  samples: samples.map(([outcome, value]) => ({ labels: { outcome }, value })),
});

describe('metrics of several processes', () => {
  it('are added up by labels', () => {
    const [calls] = mergedFamilies([
      counter([['done', 3]]),
      counter([
        ['done', 4],
        ['lost', 1],
      ]),
    ]);
    expect(calls!.samples).toEqual([
      { labels: { outcome: 'done' }, value: 7 },
      { labels: { outcome: 'lost' }, value: 1 },
    ]);
  });

  it('add up the observations of histograms', () => {
    const family = (...values: number[]): MetricFamily => {
      const cells = new HistogramCells([1, 10]);
      values.forEach((value) => cells.observe(value));
      return { type: 'histogram', name: 'sizes', help: 'Sizes.', bounds: [1, 10], samples: [cells.sample()] };
    };
    const [sizes] = mergedFamilies([family(1, 5), family(50)]);
    expect(sizes!.samples).toEqual([{ labels: {}, cumulative: [1, 2], count: 3, sum: 56 }]);
  });

  it('have the highest value if a sum has no meaning', () => {
    const state = (value: number): MetricFamily => ({
      ...single('gauge', 'state', 'State.', value),
      ofProcesses: 'highest',
    });
    expect(mergedFamilies([state(1), state(2)])[0]!.samples).toEqual([{ labels: {}, value: 2 }]);
  });
});

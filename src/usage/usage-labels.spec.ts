import type { Config } from '../config/config.js';
import type { Sql } from '../database/sql.js';
import { UsageLabels } from './usage-labels.js';

describe('the numbers of labels of a bounded set', () => {
  it('are read once if a burst of calls needs them, and are cached afterwards', async () => {
    const asked: string[] = [];
    const query = async (_: string, [, value]: [number, string]): Promise<{ id: number }[]> => {
      asked.push(value);
      await new Promise((resolve) => setImmediate(resolve));
      return [{ id: value.length }];
    };
    const labels = new UsageLabels({ query } as unknown as Sql, {} as Config);
    const burst = Array.from({ length: 1_000 }, async (_, call) =>
      labels.numberOf('model', call % 2 === 0 ? 'a/b' : 'a/bc'),
    );
    expect(new Set(await Promise.all(burst))).toEqual(new Set([3, 4]));
    expect(asked).toEqual(['a/b', 'a/bc']);
    expect(labels.numberOf('model', 'a/b')).toBe(3);
    expect(labels.cached('model', 'a/bc')).toBe(4);
  });
});

import type { AnalyticsResult } from '../../analytics-query.js';
import { planOf } from '../../query/plan-request.js';
import type { UsageReader } from '../../query/usage-reader.port.js';
import { DuckDbUsageReader } from './duckdb-usage-reader.driver.js';
import { FollowerAbsent, type FollowerProcess } from './follower-process.js';

const PLAN = planOf({ metrics: ['request_count'] }, 1, new Date('2026-03-01T12:00:00Z'));
const FROM_RECORDS: AnalyticsResult = {
  rows: Buffer.from('[]'),
  rowCount: 0,
  truncated: false,
  warnings: ['of the records'],
};

describe('DuckDbUsageReader', () => {
  const read = (fault: Error): Promise<AnalyticsResult> => {
    const follower = {
      start: () => undefined,
      isFollowing: () => Promise.resolve(true),
      read: () => Promise.reject(fault),
    } as unknown as FollowerProcess;
    const records = { read: () => Promise.resolve(FROM_RECORDS) } as unknown as UsageReader;
    return new DuckDbUsageReader(follower, records).read(PLAN, new AbortController().signal);
  };

  it.each([
    ['is not running', new FollowerAbsent('gone'), /^The analytics store is not available/],
    [
      'lacks memory for the query',
      new Error('Out of Memory Error: could not allocate block of size 256.0 KiB (1.0 GiB/1.0 GiB used)'),
      /ANALYTICS_MEMORY_MB/,
    ],
  ])('reads the records and adds a warning if the store %s', async (_, fault, warning) => {
    expect((await read(fault)).warnings).toEqual(['of the records', expect.stringMatching(warning)]);
  });

  it('rethrows any other error', async () => {
    await expect(read(new Error('Binder Error: no such column'))).rejects.toThrow('Binder Error');
  });
});

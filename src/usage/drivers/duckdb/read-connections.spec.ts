import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { jest } from '@jest/globals';
import { ReadConnections } from './read-connections.js';

const THRESHOLD = `select current_setting('perfect_ht_threshold') as threshold`;
const STALE = 'Perfect hash aggregate: aggregate group 18 exceeded total groups 16.';

describe('ReadConnections', () => {
  let instance: DuckDBInstance;
  let connections: ReadConnections;

  beforeEach(async () => {
    instance = await DuckDBInstance.create(':memory:', { perfect_ht_threshold: '16' });
    connections = new ReadConnections(instance);
  });
  afterEach(() => {
    connections.close();
    instance.closeSync();
  });

  const thresholdOf = async (connection: DuckDBConnection): Promise<number> =>
    Number((await connection.runAndReadAll(THRESHOLD)).getRowObjectsJS()[0]!['threshold']);

  it.each([true, false])(
    'repeats a read without statistics if the statistics are outdated (transaction: %s)',
    async (is) => {
      const thresholds: number[] = [];
      const read = async (connection: DuckDBConnection): Promise<string> => {
        thresholds.push(await thresholdOf(connection));
        if (thresholds.length === 1) throw new Error(STALE);
        return 'rows';
      };
      expect(await connections.run(AbortSignal.timeout(5_000), is, read)).toBe('rows');
      expect(thresholds).toEqual([16, 0]);
      expect(await connections.run(AbortSignal.timeout(5_000), is, thresholdOf)).toBe(16);
    },
  );

  it('does not repeat a read that failed for another reason', async () => {
    let reads = 0;
    const read = (): Promise<never> => {
      reads += 1;
      return Promise.reject(new Error('Out of Memory Error'));
    };
    await expect(connections.run(AbortSignal.timeout(5_000), true, read)).rejects.toThrow('Out of Memory');
    expect(reads).toBe(1);
  });

  it('rejects if the repeated read fails too', async () => {
    const read = (): Promise<never> => Promise.reject(new Error(STALE));
    await expect(connections.run(AbortSignal.timeout(5_000), true, read)).rejects.toThrow('Perfect hash aggregate');
  });

  it('keeps its connection if the number of threads cannot be set', async () => {
    const connect = jest.spyOn(instance, 'connect');
    await expect(connections.setThreads(0)).rejects.toThrow('thread');
    await connections.setThreads(1);
    expect(connect).toHaveBeenCalledTimes(1);
  });
});

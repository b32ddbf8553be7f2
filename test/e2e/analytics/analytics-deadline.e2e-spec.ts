import { startTestService, type TestService } from '../../support/services/test-service.js';
import { eventually } from '../../support/eventually.js';

describe('POST /analytics/query', () => {
  let service: TestService;
  const start = async (timeoutMs: number): Promise<void> => {
    service = await startTestService({
      env: { ANALYTICS_STORE: 'postgres', ANALYTICS_TIMEOUT_MS: String(timeoutMs), ANALYTICS_CONCURRENCY: '1' },
    });
    await service.management.get('/analytics/meta');
  };
  afterEach(() => service.stop());

  const query = (signal?: AbortSignal) =>
    service.management.post('/analytics/query', { json: { metrics: ['request_count'] }, signal });
  /** The number of waiting queries, without the service's own query for traffic figures. */
  const waiting = async (): Promise<number> => {
    const rows = await service.sql.query(
      `select pid
       from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%from generation%'
         and query not like '%with recent as%'`,
    );
    return rows.length;
  };

  it('answers 408 at its deadline, cancels the query in the database, and starts the next query', async () => {
    await start(700);
    await service.sql.transaction(async (session) => {
      // From here on, queries of the records wait for this transaction.
      await session.query('lock table generation in access exclusive mode');
      const answers = await Promise.all([query(), query()]);
      for (const answer of answers) {
        expect([answer.status, answer.json.error.code]).toEqual([408, 408]);
        expect(answer.json.error.message).toBe('Operation timed out after 0.7s. Please try again later.');
      }
      expect(await waiting()).toBe(0);
    });
    expect((await query()).status).toBe(200);
  });

  it('runs at most ANALYTICS_CONCURRENCY queries at once, and the other queries afterwards', async () => {
    await start(600_000);
    const ran: number[] = [];
    let answers: Promise<{ status: number }[]> = Promise.resolve([]);
    await service.sql.transaction(async (session) => {
      await session.query('lock table generation in access exclusive mode');
      answers = Promise.all([query(), query(), query(), query()]);
      await eventually(async () => expect(await waiting()).toBe(1));
      for (let look = 0; look < 10; look++) {
        ran.push(await waiting());
        await new Promise((next) => setTimeout(next, 30));
      }
    });
    expect(ran).toEqual(ran.map(() => 1));
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('cancels the query in the database when the caller disconnects', async () => {
    await start(600_000);
    await service.sql.transaction(async (session) => {
      await session.query('lock table generation in access exclusive mode');
      const caller = new AbortController();
      const left = query(caller.signal).catch((error: Error) => error.name);
      await eventually(async () => expect(await waiting()).toBe(1));
      caller.abort();
      expect(await left).toBe('AbortError');
      await eventually(async () => expect(await waiting()).toBe(0));
    });
  });
});

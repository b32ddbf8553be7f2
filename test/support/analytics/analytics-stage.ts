import { addAccounts } from './sample-accounts.js';
import { sampleCalls, SAMPLE_NOW, writeCalls } from './usage-sample.js';
import { SetClock, startTestService, type TestService } from '../services/test-service.js';

export const SPEECH = { model: 'builtin/flite', input: 'Twelve words.', voice: 'slt' };

/**
 * A service with three calls of its own account and many of other accounts. `clock` is set to one second after the
 * calls.
 */
export async function startAnalyticsService(clock: SetClock): Promise<TestService> {
  const service = await startTestService({
    clock,
    env: { ANALYTICS_TIMEOUT_MS: '10000', RATE_LIMIT_ANALYTICS: 'off' },
  });
  for (const index of [1, 2, 3]) {
    const answer = await service.standard.post('/audio/speech', { json: SPEECH });
    expect([index, answer.status]).toEqual([index, 200]);
  }
  // Calls of other accounts. No response may include them.
  await writeCalls(service.sql, sampleCalls(await addAccounts(service.sql), 500, 3).calls);
  clock.set(new Date(SAMPLE_NOW.getTime() + 1_000));
  // The columnar store catches up in a separate process, which may start slowly on a busy machine.
  for (
    const until = performance.now() + 60_000;
    (await queryWith(service, { metrics: ['request_count'] })).warnings !== undefined && performance.now() < until;
  )
    await new Promise((next) => setTimeout(next, 200));
  return service;
}

/** Sends a query with the management key and returns the data of the response. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function queryWith(service: TestService, json: object): Promise<any> {
  const answer = await service.management.post('/analytics/query', { json });
  expect([answer.status, answer.json?.error?.message]).toEqual([200, undefined]);
  const { warnings, ...data } = answer.json.data;
  // On a busy machine, the response may warn that the store has not started yet. Other tests check that warning.
  const own = (warnings ?? []).filter((warning: string) => !warning.startsWith('The analytics store'));
  return own.length > 0 ? { ...data, warnings: own } : data;
}

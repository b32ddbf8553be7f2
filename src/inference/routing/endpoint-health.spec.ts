import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import type { Config } from '../../config/config.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { Metrics } from '../../telemetry/metrics.js';
import { EndpointHealth } from './endpoint-health.js';

const PAUSE_MS = 60;
const ENDPOINT = { provider: 'acme', tag: 'acme', upstreamModel: 'one', capability: 'speech' } as CatalogueEndpoint;
const OUTAGE = new GatewayError('provider_failed', 'The provider failed', { outage: true });
const REFUSAL = new GatewayError('invalid_request', 'unknown voice');
const LEFT = new GatewayError('caller_gone', 'The caller disconnected');

/** A promise that is settled from outside. */
function held<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void } {
  let settle!: { resolve: (value: T) => void; reject: (error: Error) => void };
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...settle };
}
const failing = (error: Error) => async (): Promise<never> => {
  throw error;
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('an endpoint', () => {
  let health: EndpointHealth;
  beforeAll(() => Logger.overrideLogger(false));
  beforeEach(
    () =>
      (health = new EndpointHealth(
        { values: { BREAKER_FAILURES: 3, BREAKER_PAUSE_MS: PAUSE_MS } } as unknown as Config,
        new Metrics(),
      )),
  );

  const succeed = (): Promise<string> => health.watch(ENDPOINT, async () => 'well');
  const fail = async (error: Error): Promise<void> => {
    await expect(health.watch(ENDPOINT, failing(error))).rejects.toBe(error);
    await pause(0);
  };
  const isCallable = (): boolean => health.isCallable(ENDPOINT);

  it('is unhealthy after the configured number of consecutive outages, and not before', async () => {
    await fail(OUTAGE);
    await fail(OUTAGE);
    expect(isCallable()).toBe(true);
    await fail(OUTAGE);
    expect(isCallable()).toBe(false);
    expect(() => void succeed()).toThrow('No endpoint of this model is healthy at present');
  });

  it('is refused while unhealthy, with the shortest remaining pause as Retry-After; refusals are counted', async () => {
    const metrics = new Metrics();
    const config = { values: { BREAKER_FAILURES: 1, BREAKER_PAUSE_MS: 10_000 } } as unknown as Config;
    health = new EndpointHealth(config, metrics);
    const other = { ...ENDPOINT, upstreamModel: 'two', capability: 'image' } as const;
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    try {
      await fail(OUTAGE);
      now.mockReturnValue(1_004_000);
      await expect(health.watch(other, failing(OUTAGE))).rejects.toBe(OUTAGE);
      await pause(0);
      now.mockReturnValue(1_004_500);
      const kindAndWait = ({ kind, headers }: GatewayError): unknown[] => [kind, headers?.['Retry-After']];
      const refusal = (...endpoints: CatalogueEndpoint[]): unknown[] =>
        kindAndWait(health.refusal(endpoints.map((endpoint) => ({ endpoint, address: undefined }))));
      expect(refusal(ENDPOINT)).toEqual(['unavailable', '6']);
      expect(refusal(other)).toEqual(['provider_failed', '10']);
      expect(refusal(other, ENDPOINT)).toEqual(['provider_failed', '6']);
      now.mockReturnValue(1_009_999);
      expect(refusal(ENDPOINT)).toEqual(['unavailable', '1']);
    } finally {
      now.mockRestore();
    }
    const families = await metrics.collect();
    const { samples } = families.find(({ name }) => name === 'gatehouse_breaker_refusals_total')!;
    expect(samples).toEqual([
      { labels: { capability: 'speech' }, value: 2 },
      { labels: { capability: 'image' }, value: 2 },
    ]);
  });

  it('counts outages from zero after a success', async () => {
    await fail(OUTAGE);
    await fail(OUTAGE);
    expect(await succeed()).toBe('well');
    await pause(0);
    await fail(OUTAGE);
    await fail(OUTAGE);
    expect(isCallable()).toBe(true);
  });

  it('counts outages from zero after a success of a call that began before the outages', async () => {
    const slow = held<string>();
    const response = health.watch(ENDPOINT, () => slow.promise);
    await fail(OUTAGE);
    await fail(OUTAGE);
    slow.resolve('well');
    expect(await response).toBe('well');
    await pause(0);
    await fail(OUTAGE);
    expect(isCallable()).toBe(true);
  });

  it('stays healthy after errors of callers and after callers that disconnect', async () => {
    for (let round = 0; round < 5; round++) {
      await fail(REFUSAL);
      await fail(LEFT);
    }
    expect(isCallable()).toBe(true);
  });

  it('is unhealthy after responses that begin but fail before their end', async () => {
    for (let round = 0; round < 3; round++) {
      const end = held<void>();
      const response = health.watch(ENDPOINT, async (watchEnd) => {
        watchEnd(end.promise);
        return 'started';
      });
      expect(await response).toBe('started');
      end.reject(OUTAGE);
      await pause(0);
    }
    expect(isCallable()).toBe(false);
  });

  it('accepts one call as a probe after the pause, and is healthy when the probe succeeds', async () => {
    for (let round = 0; round < 3; round++) await fail(OUTAGE);
    await pause(PAUSE_MS + 10);
    expect(isCallable()).toBe(true);
    const slow = held<string>();
    const trial = health.watch(ENDPOINT, () => slow.promise);
    expect(isCallable()).toBe(false);
    slow.resolve('well');
    expect(await trial).toBe('well');
    await pause(0);
    expect(isCallable()).toBe(true);
    await fail(OUTAGE);
    await fail(OUTAGE);
    expect(isCallable()).toBe(true);
  });

  it('is unhealthy for another pause if the probe fails or the caller of the probe disconnects', async () => {
    for (const error of [OUTAGE, LEFT]) {
      const metrics = new Metrics();
      const config = { values: { BREAKER_FAILURES: 1, BREAKER_PAUSE_MS: PAUSE_MS } } as unknown as Config;
      health = new EndpointHealth(config, metrics);
      await fail(OUTAGE);
      await pause(PAUSE_MS + 10);
      await fail(error);
      expect(isCallable()).toBe(false);
    }
  });

  it('is not paused again by a call that began before the outages and fails after the pause', async () => {
    const late = held<string>();
    const response = health.watch(ENDPOINT, () => late.promise);
    for (let round = 0; round < 3; round++) await fail(OUTAGE);
    await pause(PAUSE_MS + 10);
    late.reject(OUTAGE);
    await expect(response).rejects.toBe(OUTAGE);
    await pause(0);
    expect(isCallable()).toBe(true);
  });
});

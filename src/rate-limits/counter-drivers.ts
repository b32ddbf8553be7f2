import type { Config } from '../config/config.js';
import type { ProcessRole } from '../config/process-role.js';
import { LocalClient } from '../kernel/processes/local-client.driver.js';
import type { CallCounters, CallCountRequest } from './call-counters.port.js';
import { MemoryCallCounters } from './counters/memory-call-counters.driver.js';
import { MemoryRateCounters } from './counters/memory-rate-counters.driver.js';
import { SupervisorCallCounters } from './counters/supervisor-call-counters.driver.js';
import { SupervisorRateCounters } from './counters/supervisor-rate-counters.driver.js';
import type { CountRequest, RateCounters } from './rate-counters.port.js';

/**
 * Selects the counters: in Redis if it is configured; otherwise in the supervisor for a worker, and in memory for any
 * other process.
 */
export class CounterDrivers {
  private constructor(
    readonly rates: RateCounters,
    readonly calls: CallCounters,
    readonly close: () => void = () => undefined,
    /** Whether Redis responds; absent if Redis is not configured. */
    readonly redisResponds?: () => Promise<boolean>,
  ) {}

  static async open({ values }: Config, { countersSocket }: ProcessRole): Promise<CounterDrivers> {
    const { REDIS_URL: url, RESERVATION_LEASE_MS: leaseMs } = values;
    if (url !== undefined) {
      const { RedisConnection } = await import('./counters/redis-connection.driver.js');
      const { RedisRateCounters } = await import('./counters/redis-rate-counters.driver.js');
      const { RedisCallCounters } = await import('./counters/redis-call-counters.driver.js');
      const redis = new RedisConnection(url);
      const calls = new RedisCallCounters(redis, leaseMs);
      return new CounterDrivers(
        new RedisRateCounters(redis),
        calls,
        () => redis.close(),
        async () => (await redis.run(() => redis.client.ping())) !== undefined,
      );
    }
    if (countersSocket === undefined)
      return new CounterDrivers(new MemoryRateCounters(), new MemoryCallCounters(leaseMs));
    const supervisor = new LocalClient(countersSocket);
    const calls = new SupervisorCallCounters(supervisor, leaseMs);
    return new CounterDrivers(new SupervisorRateCounters(supervisor), calls, () => supervisor.close());
  }

  /** Counts for a worker of this service. */
  respond(request: unknown): Promise<unknown> {
    if (isCall(request)) return this.#count(request.call);
    const { rule, who } = request as CountRequest;
    return this.rates.count(rule, who);
  }

  #count(request: CallCountRequest): Promise<unknown> {
    switch (request.op) {
      case 'take':
        return this.calls.take(request.callId, request.limits);
      case 'add':
        return this.calls.add(request.limits);
      default:
        return this.calls[request.op](request.places);
    }
  }
}

const isCall = (request: unknown): request is { readonly call: CallCountRequest } =>
  typeof request === 'object' && request !== null && 'call' in request;

import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Config } from '../config/config.js';
import { AccessGuard } from './access.guard.js';
import { AuthModule } from './auth.module.js';
import { FailedKeys } from './failed-keys.js';
import { ProcessRole } from '../config/process-role.js';
import { MemoryRateCounters } from './rate-limits/counters/memory-rate-counters.driver.js';
import { SupervisorRateCounters } from './rate-limits/counters/supervisor-rate-counters.driver.js';
import { PresentedKeys } from './keys/presented-keys.js';
import { RateCounters } from './rate-counters.port.js';
import { RateLimitGuard } from './rate-limits/rate-limit.guard.js';
import { SignInLimit } from './sign-in-limit.js';

/** The global guards, in order: key → principal and access class, then rate limits. */
@Module({
  imports: [AuthModule],
  providers: [
    FailedKeys,
    PresentedKeys,
    SignInLimit,
    {
      provide: RateCounters,
      inject: [Config, ProcessRole],
      useFactory: async ({ values }: Config, { countersSocket }: ProcessRole): Promise<RateCounters> => {
        if (values.REDIS_URL === undefined)
          return countersSocket === undefined ? new MemoryRateCounters() : new SupervisorRateCounters(countersSocket);
        const { RedisRateCounters } = await import('./rate-limits/counters/redis-rate-counters.driver.js');
        return new RedisRateCounters(values.REDIS_URL);
      },
    },
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [FailedKeys, RateCounters, SignInLimit],
})
export class GateModule implements OnApplicationShutdown {
  constructor(private readonly counters: RateCounters) {}

  onApplicationShutdown(): void {
    this.counters.close();
  }
}

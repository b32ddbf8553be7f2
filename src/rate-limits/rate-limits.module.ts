import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ProcessRole } from '../config/process-role.js';
import { CallCounters } from './call-counters.port.js';
import { CallLimiter } from './call-limiter.js';
import { CounterDrivers } from './counter-drivers.js';
import { RateCounters } from './rate-counters.port.js';

/** Counts requests, tokens and concurrent calls. */
@Module({
  providers: [
    {
      provide: CounterDrivers,
      inject: [Config, ProcessRole],
      useFactory: (config: Config, role: ProcessRole) => CounterDrivers.open(config, role),
    },
    { provide: RateCounters, inject: [CounterDrivers], useFactory: ({ rates }: CounterDrivers) => rates },
    { provide: CallCounters, inject: [CounterDrivers], useFactory: ({ calls }: CounterDrivers) => calls },
    CallLimiter,
  ],
  exports: [CallLimiter, CounterDrivers, RateCounters],
})
export class RateLimitsModule implements OnApplicationShutdown {
  constructor(private readonly drivers: CounterDrivers) {}

  onApplicationShutdown(): void {
    this.drivers.close();
  }
}

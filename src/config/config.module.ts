import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock, SystemClock } from '../kernel/clock.js';
import { Config } from './config.js';

/** What every room may ask for: the configuration and the time. */
@Global()
@Module({})
export class ConfigModule {
  static register(config: Config, clock: Clock = new SystemClock()): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useValue: clock },
      ],
      exports: [Config, Clock],
    };
  }
}

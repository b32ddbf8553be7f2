import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Clock, SystemClock } from '../kernel/clock.js';
import { Overload } from '../kernel/scheduling/overload.js';
import { Config } from './config.js';
import { ProcessRole } from './process-role.js';

/** Provides the configuration, the clock and the role of the process to every module. */
@Global()
@Module({})
export class ConfigModule {
  static register(config: Config, clock: Clock = new SystemClock(), role = new ProcessRole()): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Clock, useValue: clock },
        { provide: ProcessRole, useValue: role },
        { provide: Overload, useValue: new Overload() },
      ],
      exports: [Config, Clock, Overload, ProcessRole],
    };
  }
}

import { Module } from '@nestjs/common';
import { Config } from '../config/config.js';
import type { ConfigValues } from '../config/variables.js';
import { DockerRuntimeDriver } from './drivers/docker-runtime.driver.js';
import { ProcessRuntimeDriver } from './drivers/process-runtime.driver.js';
import { NoRuntimeDriver, RuntimeDriver } from './runtime.driver.js';

const DRIVERS: Record<ConfigValues['INTERN_RUNTIME'], (values: ConfigValues) => RuntimeDriver> = {
  process: ({ DATA_DIR }) => new ProcessRuntimeDriver(DATA_DIR),
  docker: (values) =>
    new DockerRuntimeDriver({
      socketPath: values.INTERN_DOCKER_SOCKET,
      image: values.INTERN_DOCKER_IMAGE,
      memoryMb: values.INTERN_MEMORY_MB,
    }),
  none: () => new NoRuntimeDriver(),
};

/** Provides the runtime driver that INTERN_RUNTIME selects. */
@Module({
  providers: [
    {
      provide: RuntimeDriver,
      inject: [Config],
      useFactory: ({ values }: Config) => DRIVERS[values.INTERN_RUNTIME](values),
    },
  ],
  exports: [RuntimeDriver],
})
export class RuntimesModule {}

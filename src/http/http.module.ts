import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { BodyReaderGuard } from './body-reader.guard.js';
import { ErrorEnvelopeFilter } from './error-envelope.filter.js';
import { HealthController } from './health.controller.js';
import { READINESS_PROBES, type ReadinessProbe } from './readiness.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

/** The edge: envelope, body reader, validation, health. Imported after the modules whose guards come before the body is read. */
@Module({})
export class HttpModule {
  static register(probes: Omit<FactoryProvider<readonly ReadinessProbe[]>, 'provide'>): DynamicModule {
    return {
      module: HttpModule,
      controllers: [HealthController],
      providers: [
        { provide: APP_FILTER, useClass: ErrorEnvelopeFilter },
        { provide: APP_GUARD, useClass: BodyReaderGuard },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        { ...probes, provide: READINESS_PROBES },
      ],
    };
  }
}

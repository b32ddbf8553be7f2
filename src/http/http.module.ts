import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { BodyReaderGuard } from './body-reader.guard.js';
import { ErrorEnvelopeFilter } from './error-envelope.filter.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { MetricsListener } from './metrics-listener.js';
import { MetricsPage } from './metrics-page.js';
import { READINESS_PROBES, type ReadinessProbe } from './readiness.js';
import { RequestValidationPipe } from './request-validation.pipe.js';
import { RootController } from './root.controller.js';

/** Creates the probes from providers that `imports` export. */
type Probes = Omit<FactoryProvider<readonly ReadinessProbe[]>, 'provide'> & Pick<DynamicModule, 'imports'>;

/**
 * The edge: error envelope, body reader, validation, health, metrics. Import it after the modules whose guards must run
 * before the body is read.
 */
@Module({})
export class HttpModule {
  static register({ imports = [], ...probes }: Probes): DynamicModule {
    return {
      module: HttpModule,
      imports: [...imports, TelemetryModule],
      controllers: [RootController, HealthController, MetricsController],
      providers: [
        MetricsListener,
        MetricsPage,
        { provide: APP_FILTER, useClass: ErrorEnvelopeFilter },
        { provide: APP_GUARD, useClass: BodyReaderGuard },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        { ...probes, provide: READINESS_PROBES },
      ],
    };
  }
}

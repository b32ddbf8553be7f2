import { Module, type DynamicModule, type FactoryProvider } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { BodyReaderGuard } from './body/body-reader.guard.js';
import { ErrorEnvelopeFilter } from './errors/error-envelope.filter.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { HealthController, READINESS_PROBES, type ReadinessProbe } from './edge/health.controller.js';
import { MetricsController } from './metrics/metrics.controller.js';
import { MetricsListener } from './metrics/metrics-listener.js';
import { MetricsPage } from './metrics/metrics-page.js';
import { OverloadRefusals } from './edge/overload-refusals.js';
import { RequestValidationPipe } from './validation/request-validation.pipe.js';
import { RootController } from './edge/root.controller.js';

/** The factory of the probes. Its dependencies are providers that the modules in `imports` export. */
type Probes = Omit<FactoryProvider<readonly ReadinessProbe[]>, 'provide'> & Pick<DynamicModule, 'imports'>;

/**
 * The error envelope, the body reader, validation, health and metrics. Import this module after the modules whose
 * guards must run before the body is read.
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
        OverloadRefusals,
        MetricsPage,
        { provide: APP_FILTER, useValue: new ErrorEnvelopeFilter() },
        { provide: APP_GUARD, useClass: BodyReaderGuard },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        { ...probes, provide: READINESS_PROBES },
      ],
    };
  }
}

import { Module, type DynamicModule } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.js';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AdapterRegistry } from './adapter-registry.js';
import { Attempts } from './attempts.js';
import { CallRecorder } from './call-recorder.js';
import { Chance, RandomChance } from './chance.js';
import { EndpointHealth } from './endpoint-health.js';
import { EndpointPace } from './endpoint-pace.js';
import { ImageInference } from './image-inference.js';
import { RoutePlanner } from './route-planner.js';
import { SpeechInference } from './speech-inference.js';

/** One billed call to one model. The composition gives the adapters. */
@Module({})
export class InferenceModule {
  static register(adapters: AdapterRegistry): DynamicModule {
    return {
      module: InferenceModule,
      global: true,
      imports: [BillingModule, CatalogueModule, SecretsModule, UsageModule],
      providers: [
        { provide: AdapterRegistry, useValue: adapters },
        { provide: Chance, useClass: RandomChance },
        Attempts,
        CallRecorder,
        EndpointHealth,
        EndpointPace,
        ImageInference,
        RoutePlanner,
        SpeechInference,
      ],
      exports: [ImageInference, SpeechInference],
    };
  }
}

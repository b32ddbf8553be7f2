import { Module, type DynamicModule } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.js';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { EventsModule } from '../events/events.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { AdapterRegistry } from './adapter-registry.js';
import { AllowedModels } from './allowed-models.js';
import { AssumedPrices } from './assumed-prices.js';
import { AttemptRunner } from './attempts/attempts.js';
import { CallCredentials } from './attempts/call-credentials.js';
import { AudioDurations } from './audio/audio-durations.js';
import { CallRecorder } from './call-recorder.js';
import { ChannelTests } from './channel-tests.js';
import { CallContents } from './content/call-contents.js';
import { InferencePipeline } from './call.js';
import { EmbeddingInference } from './capabilities/embeddings.js';
import { ImageInference } from './capabilities/image.js';
import { RerankInference } from './capabilities/rerank.js';
import { SpeechInference } from './capabilities/speech.js';
import { InputTokenCounts } from './capabilities/token-counts.js';
import { TextInference } from './capabilities/text.js';
import { TranscriptionInference } from './capabilities/transcription.js';
import { CallableModels, CredentialForms, EndpointAccess } from './endpoint-access.js';
import { CallableCredentials } from './routing/callable-credentials.js';
import { EndpointEvents } from './routing/endpoint-events.js';
import { EndpointHealth } from './routing/endpoint-health.js';
import { LatencyTracker } from './routing/latency-tracker.js';
import { CacheHits } from './response-cache/cached-call.js';
import { CachedCompletions } from './response-cache/cached-completions.js';
import { CachedStreams } from './response-cache/cached-streams.js';
import { ResponseCache } from './response-cache/response-cache.js';
import { ListedChannels } from './listed-channels.js';
import { ProcessesHealth } from './process-health.js';
import { AdmittedSpending } from './limits/admitted-spending.js';
import { ModelNames } from './model-names.js';
import { Random } from './routing/random.js';
import { TokenCounter } from './text/token-counter.js';
import { TextModels } from './text-models.js';
import { SessionEndpoints } from './routing/session-endpoints.js';
import { RoutePlanner } from './routing/route-planner.js';

const PIPELINE = [
  AdmittedSpending,
  AssumedPrices,
  AttemptRunner,
  CallableCredentials,
  CallCredentials,
  CallContents,
  CallRecorder,
  EndpointAccess,
  EndpointEvents,
  EndpointHealth,
  InferencePipeline,
  LatencyTracker,
  Random,
  RoutePlanner,
  SessionEndpoints,
  { provide: AudioDurations, useFactory: () => new AudioDurations() },
  { provide: TokenCounter, useFactory: () => new TokenCounter() },
];
/** The classes that reuse responses. */
const RESPONSE_CACHE = [CachedCompletions, CachedStreams, CacheHits, ResponseCache];
const CATALOGUE_VIEWS = [
  AllowedModels,
  CallableModels,
  ChannelTests,
  CredentialForms,
  ListedChannels,
  ModelNames,
  TextModels,
];
/** The capabilities. Add new capabilities here. */
const CAPABILITIES = [
  EmbeddingInference,
  ImageInference,
  RerankInference,
  SpeechInference,
  TextInference,
  InputTokenCounts,
  TranscriptionInference,
];

/** Makes one billed call to one model. The composition root passes the adapters. */
@Module({})
export class InferenceModule {
  static register(adapters: AdapterRegistry): DynamicModule {
    return {
      module: InferenceModule,
      global: true,
      imports: [
        BillingModule,
        CatalogueModule,
        ChannelsModule,
        EventsModule,
        RateLimitsModule,
        SecretsModule,
        TelemetryModule,
        UsageModule,
      ],
      providers: [
        { provide: AdapterRegistry, useValue: adapters },
        ...PIPELINE,
        ...RESPONSE_CACHE,
        ...CATALOGUE_VIEWS,
        ...CAPABILITIES,
        ProcessesHealth,
      ],
      exports: [...CATALOGUE_VIEWS, ...CAPABILITIES, ProcessesHealth],
    };
  }
}

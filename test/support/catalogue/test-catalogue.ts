import { Catalogue } from '../../../src/catalogue/catalogue.js';
import type { CatalogueEndpoint, CatalogueModel } from '../../../src/catalogue/catalogue-model.js';
import { CatalogueSnapshot } from '../../../src/catalogue/catalogue-snapshot.js';
import { aModel, anEndpoint } from './catalogue-builder.js';
import type { TestService } from '../services/test-service.js';

/** An endpoint of OpenAI's protocol for pictures at 0.01 USD each, with all options. `facts` override the defaults. */
export const anImageEndpoint = (provider: string, facts: Partial<CatalogueEndpoint> = {}): CatalogueEndpoint =>
  anEndpoint(provider, {
    capability: 'image',
    adapter: 'openai-compatible',
    upstreamModel: 'pictures',
    supportsStreaming: true,
    pricing: [{ billable: 'output_image', unit: 'image', costUsd: '0.01' }],
    pixelBounds: { min: 64, max: 4096 },
    supportedParameters: {
      background: { type: 'enum', values: ['auto', 'transparent', 'opaque'] },
      input_references: { type: 'range', min: 0, max: 16 },
      n: { type: 'range', min: 1, max: 10 },
      output_compression: { type: 'range', min: 0, max: 100 },
      output_format: { type: 'enum', values: ['png', 'jpeg', 'webp', 'svg'] },
      quality: { type: 'enum', values: ['auto', 'low', 'medium', 'high'] },
      seed: { type: 'boolean' },
    },
    ...facts,
  });

/** An endpoint of OpenAI's protocol for speech at 0.000001 USD per character. `facts` override the defaults. */
export const aSpeechEndpoint = (provider: string, facts: Partial<CatalogueEndpoint> = {}): CatalogueEndpoint =>
  anEndpoint(provider, {
    capability: 'speech',
    adapter: 'openai-compatible',
    upstreamModel: 'voices',
    pricing: [{ billable: 'input_text', unit: 'character', costUsd: '0.000001' }],
    ...facts,
  });

const MODALITY_OF: Partial<Record<CatalogueEndpoint['capability'], string>> = { speech: 'audio', image: 'image' };

/** Adds models with these endpoints to the shipped models. Replaces a model with the same id. */
export const teach = (service: TestService, models: Readonly<Record<string, readonly CatalogueEndpoint[]>>): void =>
  teachModels(
    service,
    Object.entries(models).map(([id, endpoints]) =>
      aModel(id, { endpoints, outputModalities: [MODALITY_OF[endpoints[0]!.capability] ?? 'text'] }),
    ),
  );

export function teachModels(service: TestService, models: readonly CatalogueModel[]): void {
  const catalogue = service.app.get(Catalogue, { strict: false });
  const taught = new Set(models.map(({ id }) => id));
  catalogue.swap(
    new CatalogueSnapshot({
      models: [...catalogue.all().filter(({ id }) => !taught.has(id)), ...models],
      providers: catalogue.providers(),
      benchmarks: catalogue.snapshot.benchmarks,
    }),
  );
}

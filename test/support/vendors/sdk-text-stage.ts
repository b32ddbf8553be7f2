import { AdapterRegistry } from '../../../src/inference/adapter-registry.js';
import { SDK_VENDORS } from '../../../src/providers/adapters/ai-sdk/sdk-vendors.js';
import { vertexAnthropicFactory, vertexFactory } from '../../../src/providers/adapters/ai-sdk/vertex.js';
import { VertexTokens } from '../../../src/providers/adapters/ai-sdk/vertex-tokens.js';
import type { ApiAnswer } from '../api/api-client.js';
import { PACKAGE_VENDORS } from './openai-formats.js';
import { startScriptedTextVendor } from './scripted-text-vendor.js';
import { aModel } from '../catalogue/catalogue-builder.js';
import { Catalogue } from '../../../src/catalogue/catalogue.js';
import { CatalogueSnapshot } from '../../../src/catalogue/catalogue-snapshot.js';
import { startTestService, type TestService } from '../services/test-service.js';
import { aTextEndpoint } from '../calls/text-stage.js';
import type { VendorTurn } from './text-vendor-formats.js';

/** In USD per token; a price for every class. */
const PRICES = {
  prompt: '0.000003',
  completion: '0.000015',
  cacheRead: '0.0000003',
  cacheWrite: '0.00000375',
  cacheWrite1h: '0.000006',
  reasoning: '0.00002',
};

export interface SdkTextStage {
  readonly service: TestService;
  readonly vendor: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  /** Queues a turn of a vendor, and posts a chat to its model. */
  chat(name: string, turn: Partial<VendorTurn>, body?: object): Promise<ApiAnswer>;
  /** The vendor's last request. */
  // oxlint-disable-next-line typescript/no-explicit-any
  sent(): any;
  stop(): Promise<void>;
}

const variableOf = (slug: string): string => `${slug.toUpperCase().replaceAll('-', '_')}_API_KEY`;
export const modelOf = (name: string): string => `package/${name}`;

/**
 * A service with a model `package/<vendor>` for each vendor that is called through its package, all on one scripted
 * server. Service accounts get a token without Google.
 */
export async function startSdkTextStage(
  env: Readonly<Record<string, string>> = {},
  logTo?: (text: string) => void,
): Promise<SdkTextStage> {
  const tokens = new VertexTokens(async () => 'vertex-access-token');
  const vendor = await startScriptedTextVendor(2_000, {
    ...SDK_VENDORS,
    '@ai-sdk/google-vertex': { ...SDK_VENDORS['@ai-sdk/google-vertex']!, load: vertexFactory(tokens) },
    '@ai-sdk/google-vertex/anthropic': {
      ...SDK_VENDORS['@ai-sdk/google-vertex/anthropic']!,
      load: vertexAnthropicFactory(tokens),
    },
  });
  const service = await startTestService({
    adapters: new AdapterRegistry({ text: [vendor.text] }),
    logTo,
    env: {
      BREAKER_FAILURES: '1000',
      ...Object.fromEntries(
        Object.values(PACKAGE_VENDORS).map(({ slug, credential }) => [variableOf(slug), credential]),
      ),
      ...env,
    },
  });
  const catalogue = service.app.get(Catalogue, { strict: false });
  const models = Object.entries(PACKAGE_VENDORS).map(([name, { slug, package: pack, model }]) =>
    aModel(modelOf(name), {
      inputModalities: ['text', 'image', 'file'],
      endpoints: [aTextEndpoint(slug, { adapter: 'ai-sdk', package: pack, upstreamModel: model, tokenPrices: PRICES })],
    }),
  );
  catalogue.swap(
    new CatalogueSnapshot({
      models: [...catalogue.all(), ...models],
      providers: catalogue.providers(),
      benchmarks: catalogue.snapshot.benchmarks,
    }),
  );
  return {
    service,
    vendor,
    chat: (name, turn, body = {}) => {
      const format = PACKAGE_VENDORS[name]!;
      const { stream = false } = body as { stream?: boolean };
      // Remove the unused replies of an earlier call that failed.
      vendor.clear();
      vendor.turn(format, { finish: format.stop, usage: format.usage, ...turn }, stream);
      const messages = [{ role: 'user', content: 'Hello' }];
      return service.standard.post('/chat/completions', { json: { model: modelOf(name), messages, ...body } });
    },
    sent: () => vendor.seen.at(-1)!.json,
    stop: async () => {
      await service.stop();
      await vendor.close();
    },
  };
}

import { aModel, anEndpoint } from '../catalogue/catalogue-builder.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { startScriptedTextVendor } from '../vendors/scripted-text-vendor.js';
import { teachModels } from '../catalogue/test-catalogue.js';
import { startTestService, type TestService } from '../services/test-service.js';

/** The vendor openai sends vectors in base64. 0.02 USD per million tokens. */
export const OPENAI_MODEL = 'openai/text-embedding-3-small';
/** The vendor sends vectors as numbers and accepts pictures. 0.125 USD per million tokens. */
export const PICTURE_MODEL = 'test/pictures-and-text';
/** Served through the vendor's package, which accepts only texts. */
export const GOOGLE_MODEL = 'google/gemini-embedding-001';
export const BUILT_IN_MODEL = 'builtin/lexical-embedding';

export interface EmbeddingsStage {
  readonly service: TestService;
  readonly vendor: ScriptedChatVendor;
  readonly google: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  /** Queues a response of Google to one text, or to a list of texts. */
  answerAsGoogle(vectors: readonly (readonly number[])[], isSingle: boolean, promptTokenCount?: number): void;
  stop(): Promise<void>;
}

/** A service with three vendors of embeddings. */
export async function startEmbeddingsStage(env: Readonly<Record<string, string>> = {}): Promise<EmbeddingsStage> {
  const vendor = await startScriptedChatVendor();
  const google = await startScriptedTextVendor();
  const service = await startTestService({
    env: {
      OPENAI_API_KEY: 'sk-scripted-vendor-credential',
      OPENAI_BASE_URL: vendor.baseUrl,
      TOGETHERAI_API_KEY: 'together-scripted-credential',
      TOGETHERAI_BASE_URL: vendor.baseUrl,
      GOOGLE_API_KEY: 'google-scripted-credential',
      GOOGLE_BASE_URL: google.baseUrl,
      BREAKER_FAILURES: '1000',
      UPSTREAM_TIMEOUT_MS: '5000',
      ...env,
    },
  });
  const prices = { prompt: '0.000000125', completion: '0' };
  teachModels(service, [
    aModel(PICTURE_MODEL, {
      inputModalities: ['text', 'image'],
      outputModalities: ['embeddings'],
      endpoints: [
        anEndpoint('togetherai', {
          capability: 'embeddings',
          adapter: 'openai-compatible',
          tokenPrices: prices,
          textLimits: { contextLength: 512 },
        }),
      ],
    }),
  ]);
  return {
    service,
    vendor,
    google,
    answerAsGoogle: (vectors, isSingle, promptTokenCount) =>
      google.reply((response) => {
        const values = vectors.map((vector) => ({ values: vector }));
        const usageMetadata = promptTokenCount === undefined ? undefined : { promptTokenCount };
        const body = isSingle ? { embedding: values[0], usageMetadata } : { embeddings: values, usageMetadata };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      }),
    stop: async () => {
      await service.stop();
      await vendor.close();
      await google.close();
    },
  };
}

export const numbersOf = (embedding: number[] | string): number[] => {
  if (typeof embedding !== 'string') return embedding;
  return [...new Float32Array(Uint8Array.from(Buffer.from(embedding, 'base64')).buffer)];
};

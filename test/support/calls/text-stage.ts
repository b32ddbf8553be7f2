import { Catalogue } from '../../../src/catalogue/catalogue.js';
import type { CatalogueEndpoint, CatalogueModel } from '../../../src/catalogue/catalogue-model.js';
import { CatalogueSnapshot } from '../../../src/catalogue/catalogue-snapshot.js';
import type { ApiAnswer } from '../api/api-client.js';
import { aModel, anEndpoint } from '../catalogue/catalogue-builder.js';
import { chunksOf } from './relayed-chat.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';
import { startScriptedTextVendor } from '../vendors/scripted-text-vendor.js';
import { startTestService, type TestService, type TestServiceOptions } from '../services/test-service.js';
import { TEXT_VENDORS, type VendorTurn } from '../vendors/text-vendor-formats.js';

const ANTHROPIC = TEXT_VENDORS.anthropic;
/** Vendors of the chat format, each with its own server. */
const CHAT_VENDORS = ['openai', 'deepinfra', 'openrouter', 'mistral', 'siliconflow'] as const;
type ChatVendor = (typeof CHAT_VENDORS)[number];

export interface TextStage {
  readonly service: TestService;
  readonly vendors: Readonly<Record<ChatVendor, ScriptedChatVendor>>;
  /** The vendor that is called through its package. */
  readonly anthropic: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  /** Queues one response of `anthropic`. */
  claude(turn?: Partial<VendorTurn>, streamed?: boolean): void;
  /** Adds a model to the catalogue. */
  teach(id: string, endpoints: readonly CatalogueEndpoint[], facts?: Partial<CatalogueModel>): void;
  /** Posts a chat. A text is sent unchanged. Default model: `rules/openai`. */
  chat(
    body: object | string,
    request?: { readonly key?: string | null; readonly headers?: object },
  ): Promise<ApiAnswer>;
  /** Posts a request of `/messages`. Default model: `rules/anthropic`. */
  messages(body: object, request?: { readonly key?: string | null; readonly headers?: object }): Promise<ApiAnswer>;
  stop(): Promise<void>;
}

/** A text endpoint at 1 USD per million prompt tokens and 2 USD per million completion tokens. */
export const aTextEndpoint = (provider: string, facts: Partial<CatalogueEndpoint> = {}): CatalogueEndpoint =>
  anEndpoint(provider, {
    adapter: provider === 'anthropic' ? 'ai-sdk' : 'openai-compatible',
    ...(provider === 'anthropic' ? { package: '@ai-sdk/anthropic' } : {}),
    upstreamModel: provider === 'anthropic' ? ANTHROPIC.model : 'vendor-model',
    tokenPrices: { prompt: '0.000001', completion: '0.000002' },
    textLimits: { contextLength: 8_000, maxCompletionTokens: 4_000, tokensPerImage: 100 },
    maxCompletionTokens: 4_000,
    ...facts,
  });

export const HELLO = [{ role: 'user', content: 'Hello' }];

/** A service with scripted vendors of text, with a model `rules/<vendor>` at each. */
export async function startTextStage({ env, ...options }: TestServiceOptions = {}): Promise<TextStage> {
  const vendors = Object.fromEntries(
    await Promise.all(CHAT_VENDORS.map(async (slug) => [slug, await startScriptedChatVendor()] as const)),
  ) as Record<ChatVendor, ScriptedChatVendor>;
  const anthropic = await startScriptedTextVendor();
  const service = await startTestService({
    ...options,
    env: {
      BREAKER_FAILURES: '1000',
      UPSTREAM_TIMEOUT_MS: '5000',
      ANTHROPIC_API_KEY: ANTHROPIC.credential,
      ANTHROPIC_BASE_URL: anthropic.baseUrl,
      ...Object.fromEntries(
        CHAT_VENDORS.flatMap((slug) => [
          [`${slug.toUpperCase()}_API_KEY`, `credential-of-${slug}`],
          [`${slug.toUpperCase()}_BASE_URL`, vendors[slug].baseUrl],
        ]),
      ),
      ...env,
    },
  });
  const teach: TextStage['teach'] = (id, endpoints, facts = {}) => {
    const catalogue = service.app.get(Catalogue, { strict: false });
    catalogue.swap(
      new CatalogueSnapshot({
        models: [...catalogue.all().filter((model) => model.id !== id), aModel(id, { ...facts, endpoints })],
        providers: catalogue.providers(),
        benchmarks: catalogue.snapshot.benchmarks,
      }),
    );
  };
  const media = { inputModalities: ['text', 'image', 'audio', 'file'] };
  for (const slug of [...CHAT_VENDORS, 'anthropic']) teach(`rules/${slug}`, [aTextEndpoint(slug)], media);
  return {
    service,
    vendors,
    anthropic,
    claude: (turn = {}, streamed = false) =>
      anthropic.turn(ANTHROPIC, { text: ['Hi'], finish: 'end_turn', usage: ANTHROPIC.usage, ...turn }, streamed),
    teach,
    chat: (body, { key, headers } = {}) =>
      service.standard.post('/chat/completions', {
        ...(typeof body === 'string' ? { body } : { json: { model: 'rules/openai', messages: HELLO, ...body } }),
        key,
        headers: { 'content-type': 'application/json', ...headers },
      }),
    messages: (body, { key, headers } = {}) =>
      service.standard.post('/messages', {
        json: { model: 'rules/anthropic', max_tokens: 100, messages: HELLO, ...body },
        key,
        headers: { ...headers },
      }),
    stop: async () => {
      await service.stop();
      await Promise.all([...Object.values(vendors), anthropic].map((vendor) => vendor.close()));
    },
  };
}

/** The chunks of a stream, which must end with `[DONE]`. */
// oxlint-disable-next-line typescript/no-explicit-any
export function streamedChunks({ text }: ApiAnswer): any[] {
  const done = 'data: [DONE]\n\n';
  if (!text.endsWith(done)) throw new Error(`the stream does not end with [DONE]: ${text.slice(-200)}`);
  const events = text
    .slice(0, -done.length)
    .split('\n\n')
    .filter((event) => !event.startsWith(':'));
  return chunksOf(Buffer.from(events.join('\n\n')));
}

/** The generated text of the first choice of a stream. */
export const streamedText = (answer: ApiAnswer): string =>
  streamedChunks(answer)
    .map(({ choices }) => choices[0]?.delta?.content ?? '')
    .join('');

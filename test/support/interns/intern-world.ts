import { Catalogue } from '../../../src/catalogue/catalogue.js';
import { CatalogueSnapshot } from '../../../src/catalogue/catalogue-snapshot.js';
import { Network } from '../../../src/egress/network.js';
import type { RunningService } from '../../../src/service.js';
import { aModel, anEndpoint } from '../catalogue/catalogue-builder.js';
import type { ModelMessage, Thought } from './conversing-interns.js';
import { chatChunk, finishChunk, usageChunk, type ChatScript } from '../vendors/scripted-chat-vendor.js';

/** The model of interns in tests, at the scripted vendor of the chat format. */
export const INTERN_MODEL = 'rules/openai';
const TOOLS = { tools: { type: 'boolean' }, tool_choice: { type: 'boolean' } } as const;

/** Directs every name of the egress proxy to servers of the test, and adds the model of interns. */
export function openWorld(
  app: RunningService['app'],
  ports: { readonly plain: number; readonly trusted: number },
): void {
  Object.assign(app.get(Network, { strict: false }), {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    portFor: (_: string, port: number) => (port === 80 ? ports.plain : ports.trusted),
  });
  const catalogue = app.get(Catalogue, { strict: false });
  const endpoint = anEndpoint('openai', {
    adapter: 'openai-compatible',
    upstreamModel: 'vendor-model',
    tokenPrices: { prompt: '0.000001', completion: '0.000002' },
    textLimits: { contextLength: 100_000, maxCompletionTokens: 4_000 },
    maxCompletionTokens: 4_000,
    supportedParameters: TOOLS,
  });
  const model = aModel(INTERN_MODEL, { supportedParameters: Object.keys(TOOLS), endpoints: [endpoint] });
  catalogue.swap(
    new CatalogueSnapshot({
      models: [...catalogue.all(), model],
      providers: catalogue.providers(),
      benchmarks: catalogue.snapshot.benchmarks,
    }),
  );
}

/** The messages of a model call, without the system message. */
export const messagesOf = ({ messages }: { readonly messages: readonly ModelMessage[] }): ModelMessage[] =>
  messages.filter(({ role }) => role !== 'system');

export function scriptOf({ text, calls = [], until }: Thought): ChatScript {
  const toolCalls = calls.map((call, index) => ({
    index,
    id: `call-${index}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
  const events = [
    chatChunk({ role: 'assistant', content: '' }),
    ...(text === undefined ? [] : [chatChunk({ content: text })]),
    ...(calls.length === 0 ? [] : [chatChunk({ tool_calls: toolCalls })]),
    finishChunk(calls.length === 0 ? 'stop' : 'tool_calls'),
    usageChunk(),
    '[DONE]',
  ];
  return until === undefined ? { events } : { events, holdAfter: 2, released: until };
}

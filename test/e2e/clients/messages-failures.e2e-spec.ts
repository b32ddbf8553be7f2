import Anthropic from '@anthropic-ai/sdk';
import type { ServerResponse } from 'node:http';
import type { ChatClient, ClientRequest } from '../../support/calls/chat-clients/chat-client.js';
import { startClientsStage, type ClientsStage } from '../../support/calls/chat-clients/clients-stage.js';
import { MESSAGES_CLIENTS } from '../../support/calls/chat-clients/messages-clients.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';
import { clearCredentialRests } from '../../support/calls/end-rests.js';

interface FailureCase {
  readonly status: number;
  readonly message: RegExp;
  readonly request?: Partial<Omit<ClientRequest, 'messages'>> & { readonly text?: string };
  /** The status that the vendor returns. */
  readonly reply?: number;
  /** The kind of key for the call. */
  readonly key?: 'unknown' | 'poor';
  readonly retryAfter?: string;
}

const { anthropic } = TEXT_VENDORS;
const replyOf =
  (status: number) =>
  (response: ServerResponse): void => {
    const retry = status === 429 ? { 'retry-after': '7' } : {};
    response.writeHead(status, { 'content-type': 'application/json', ...retry });
    response.end(JSON.stringify(anthropic.errorBody));
  };

const FAILURES: Readonly<Record<string, FailureCase>> = {
  "a vendor's 400": { status: 400, message: /max_tokens: too many/, reply: 400 },
  'an unknown key': { status: 401, message: /key/, key: 'unknown' },
  'a key that can afford less': { status: 402, message: /can only afford \d+\./, key: 'poor' },
  'an unknown model': { status: 404, message: /no.such/, request: { model: 'no/such' } },
  'a body that is too large': { status: 413, message: /larger/, request: { text: 'x'.repeat(70_000) } },
  "a vendor's 429": { status: 429, message: /limits the rate/, reply: 429, retryAfter: '7' },
  "a vendor's 500": { status: 502, message: /failed/, reply: 500 },
  "a vendor's 529": { status: 529, message: /overloaded/, reply: 529 },
};

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  402: 'PaymentRequiredError',
  404: 'NotFoundError',
  413: 'ContentTooLargeError',
  429: 'RateLimitError',
  529: 'OverloadedError',
};
/** The error class of each client by status. */
const TYPES: Readonly<Record<string, (status: number) => string>> = {
  '@anthropic-ai/sdk': (status) => ANTHROPIC_TYPES[status] ?? 'InternalServerError',
  'ai with @ai-sdk/anthropic': () => 'AI_APICallError',
};

let stage: ClientsStage;
let poorKey: string;
beforeAll(async () => {
  stage = await startClientsStage({ CHAT_BODY_LIMIT_BYTES: '65536' });
  poorKey = (await stage.service.management.post('/keys', { json: { name: 'poor', limit: 0.000_5 } })).json.key;
});
beforeEach(() => clearCredentialRests(stage.service));
afterAll(() => stage.stop());
beforeEach(() => stage.anthropic.clear());

describe.each(Object.entries(MESSAGES_CLIENTS))('%s', (name, clientOf) => {
  async function failureOf(client: ChatClient, way: 'complete' | 'stream', request: FailureCase['request'] = {}) {
    const { text = 'Hello', ...rest } = request;
    const thrown: unknown = await client[way]({
      model: 'anthropic/claude-sonnet-4-5',
      messages: [client.user(text)],
      maxTokens: 1_000,
      ...rest,
    }).then(
      (reply) => new Error(`no failure: ${JSON.stringify(reply)}`),
      (error: unknown) => error,
    );
    return client.failure(thrown);
  }

  describe.each(['complete', 'stream'] as const)('%s', (way) => {
    it.each(Object.entries(FAILURES))('reports %s', async (_, failure) => {
      const keys = { unknown: 'sk-no-such-key', poor: poorKey };
      const client = clientOf(failure.key ? { ...stage.access, apiKey: keys[failure.key] } : stage.access);
      if (failure.reply !== undefined) stage.anthropic.reply(replyOf(failure.reply));
      expect(await failureOf(client, way, failure.request)).toEqual({
        type: TYPES[name]!(failure.status),
        status: failure.status,
        message: expect.stringMatching(failure.message),
        retryAfter: failure.retryAfter,
      });
    });
  });

  it('reports an error in the middle of a stream', async () => {
    const begun = anthropic.events({ text: ['a'], finish: 'end_turn', usage: anthropic.usage }).slice(0, 4);
    stage.anthropic.reply((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(Buffer.concat([...begun, anthropic.errorEvent]));
    });
    expect((await failureOf(clientOf(stage.access), 'stream')).message).toMatch(/overloaded/);
  });
});

describe('@anthropic-ai/sdk', () => {
  it.each([{ authToken: '' }, { apiKey: '' }])(
    'authenticates with %j to count tokens and to create a message',
    async (field) => {
      const [member] = Object.keys(field) as ['authToken' | 'apiKey'];
      const client = new Anthropic({
        apiKey: null,
        authToken: null,
        [member]: stage.access.apiKey,
        baseURL: stage.access.baseUrl.replace(/\/v1$/, ''),
      });
      const messages = [{ role: 'user' as const, content: 'one two three' }];
      const { input_tokens } = await client.messages.countTokens({ model: 'builtin/eliza', messages });
      expect(input_tokens).toBeGreaterThan(2);
      const { content } = await client.beta.messages.create({
        model: 'builtin/eliza',
        max_tokens: 100,
        messages,
        betas: ['context-management-2025-06-27'],
      });
      expect(content).toEqual([expect.objectContaining({ type: 'text' })]);
    },
  );
});

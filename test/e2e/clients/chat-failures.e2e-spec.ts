import type { ServerResponse } from 'node:http';
import { CHAT_CLIENTS } from '../../support/calls/chat-clients/all-clients.js';
import type { ChatClient, ClientRequest } from '../../support/calls/chat-clients/chat-client.js';
import { startClientsStage, type ClientsStage } from '../../support/calls/chat-clients/clients-stage.js';
import { chatChunk, type ChatScript } from '../../support/vendors/scripted-chat-vendor.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';
import { clearCredentialRests } from '../../support/calls/end-rests.js';

interface FailedRequest extends Partial<Omit<ClientRequest, 'messages'>> {
  readonly text?: string;
}

interface FailureCase {
  readonly status: number;
  readonly message: RegExp;
  readonly request?: FailedRequest;
  readonly script?: ChatScript;
  /** The response of a vendor that is called through a package. */
  readonly reply?: { readonly status: number; readonly headers?: Readonly<Record<string, string>> };
  /** The kind of key for the call. */
  readonly key?: 'unknown' | 'poor';
  readonly retryAfter?: string;
}

const status = (code: number, more: Partial<ChatScript> = {}): ChatScript => ({
  status: code,
  body: { error: { message: `The vendor says ${code}` } },
  ...more,
});

const PACKAGE_MODEL = 'anthropic/claude-sonnet-4-5';
const { anthropic } = TEXT_VENDORS;
const replyOf =
  ({ status: code, headers }: NonNullable<FailureCase['reply']>) =>
  (response: ServerResponse): void =>
    void response
      .writeHead(code, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(anthropic.errorBody));

const BEGUN = chatChunk({ role: 'assistant', content: 'a' });

const FAILURES: Readonly<Record<string, FailureCase>> = {
  "a vendor's 400": { status: 400, message: /The vendor says 400/, script: status(400) },
  'an unknown key': { status: 401, message: /key/, key: 'unknown' },
  'a key that can afford less': {
    status: 402,
    message: /can only afford [1-9]\./,
    key: 'poor',
    request: { maxTokens: 10 },
  },
  'an unknown model': { status: 404, message: /no.such/, request: { model: 'no/such' } },
  'a body that is too large': { status: 413, message: /larger/, request: { text: 'x'.repeat(70_000) } },
  "a vendor's 429": {
    status: 429,
    message: /limits the rate/,
    script: status(429, { headers: { 'retry-after': '7' } }),
    retryAfter: '7',
  },
  "a vendor's 500": { status: 502, message: /failed/, script: status(500) },
  "a vendor's 401": { status: 502, message: /account/, script: status(401) },
  'a vendor that stalls': { status: 524, message: /took too long/, script: { events: ['never sent'], stallAfter: 0 } },
  "a vendor's 503": { status: 529, message: /overloaded/, script: status(503) },
};

const THROUGH_PACKAGE: Readonly<Record<string, FailureCase>> = {
  'the 400 of a vendor behind a package': { status: 400, message: /max_tokens: too many/, reply: { status: 400 } },
  'the 429 of a vendor behind a package': {
    status: 429,
    message: /limits the rate/,
    reply: { status: 429, headers: { 'retry-after': '7' } },
    retryAfter: '7',
  },
  'the 500 of a vendor behind a package': { status: 502, message: /failed/, reply: { status: 500 } },
  'the 529 of a vendor behind a package': { status: 529, message: /overloaded/, reply: { status: 529 } },
};

const OPENAI_TYPES: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  402: 'APIError',
  404: 'NotFoundError',
  413: 'APIError',
  429: 'RateLimitError',
};
const SDK_TYPES: Readonly<Record<number, string>> = {
  400: 'BadRequestResponseError',
  401: 'UnauthorizedResponseError',
  402: 'PaymentRequiredResponseError',
  404: 'NotFoundResponseError',
  413: 'PayloadTooLargeResponseError',
  429: 'TooManyRequestsResponseError',
  502: 'BadGatewayResponseError',
  503: 'ServiceUnavailableResponseError',
  524: 'EdgeNetworkTimeoutResponseError',
  529: 'ProviderOverloadedResponseError',
};
const openAiType = (code: number): string => OPENAI_TYPES[code] ?? 'InternalServerError';

/** The error class of each client by status, and its report of a failure in the middle of a stream. */
const TYPES: Readonly<
  Record<string, { of(status: number): string; readonly midStream: string; readonly showsMidStreamStatus?: true }>
> = {
  openai: { of: openAiType, midStream: 'APIError' },
  '@openrouter/sdk': { of: (code) => SDK_TYPES[code]!, midStream: 'chunk', showsMidStreamStatus: true },
  'ai with @openrouter/ai-sdk-provider': {
    of: () => 'AI_APICallError',
    midStream: 'AI_StreamProviderError',
    showsMidStreamStatus: true,
  },
  '@langchain/openai': { of: openAiType, midStream: 'APIError' },
  '@langchain/openrouter': {
    of: (code) =>
      ({ 401: 'OpenRouterAuthError', 429: 'OpenRouterRateLimitError' })[code as 401 | 429] ?? 'OpenRouterError',
    midStream: 'chunk',
  },
};

let stage: ClientsStage;
let unreachable: ClientsStage;
let poorKey: string;
beforeAll(async () => {
  stage = await startClientsStage({ UPSTREAM_TIMEOUT_MS: '500', CHAT_BODY_LIMIT_BYTES: '65536' });
  unreachable = await startClientsStage({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', BREAKER_FAILURES: '1' });
  poorKey = (await stage.service.management.post('/keys', { json: { name: 'poor', limit: 0.000_016_5 } })).json.key;
});
beforeEach(() => clearCredentialRests(stage.service));
afterAll(async () => {
  await stage.stop();
  await unreachable.stop();
});

describe.each(Object.entries(CHAT_CLIENTS))('%s', (name, clientOf) => {
  const types = TYPES[name]!;

  async function failureOf(client: ChatClient, way: 'complete' | 'stream', request: FailedRequest = {}) {
    const { text = 'Hello', ...rest } = request;
    const thrown: unknown = await client[way]({
      model: 'openai/gpt-4o-mini',
      messages: [client.user(text)],
      ...rest,
    }).then(
      (reply) => new Error(`no failure: ${JSON.stringify(reply)}`),
      (error: unknown) => error,
    );
    return client.failure(thrown);
  }

  describe.each(['complete', 'stream'] as const)('%s', (way) => {
    it.each(Object.entries({ ...FAILURES, ...THROUGH_PACKAGE }))('reports %s', async (_, failure) => {
      const keys = { unknown: 'sk-no-such-key', poor: poorKey };
      const client = clientOf(failure.key ? { ...stage.access, apiKey: keys[failure.key] } : stage.access);
      if (failure.script) stage.vendor.script(failure.script);
      if (failure.reply) stage.anthropic.reply(replyOf(failure.reply));
      const request = failure.reply ? { ...failure.request, model: PACKAGE_MODEL } : failure.request;
      expect(await failureOf(client, way, request)).toEqual({
        type: types.of(failure.status),
        status: failure.status,
        message: expect.stringMatching(failure.message),
        retryAfter: failure.retryAfter,
      });
    });

    it('reports that no endpoint is healthy', async () => {
      const client = clientOf(unreachable.access);
      await failureOf(client, way);
      expect(await failureOf(client, way)).toMatchObject({ type: types.of(503), status: 503 });
    });
  });

  const midStream = (code: number, message: RegExp): object => ({
    type: types.midStream,
    status: types.showsMidStreamStatus ? code : undefined,
    // This client shows only the finish reason.
    message: name === '@langchain/openrouter' ? expect.any(String) : expect.stringMatching(message),
  });

  it.each<[string, number, RegExp, ChatScript]>([
    ['an error of the vendor', 502, /failed/, { events: [BEGUN, { error: { message: 'Broken', code: 500 } }] }],
    ['an end without a finish reason', 502, /ended before it was complete/, { events: [BEGUN, '[DONE]'] }],
    ['a connection that is reset', 502, /connection/, { events: [BEGUN, 'x'], resetAfter: 1, pauseMs: 20 }],
    ['a stall', 524, /took too long/, { events: [BEGUN, 'x'], stallAfter: 1 }],
  ])('reports %s in the middle of a stream', async (_, code, message, script) => {
    const client = clientOf(stage.access);
    stage.vendor.script(script);
    expect(await failureOf(client, 'stream')).toEqual(midStream(code, message));
  });

  it('reports an error of a vendor behind a package in the middle of a stream', async () => {
    const begun = anthropic.events({ text: ['a'], finish: 'end_turn', usage: anthropic.usage }).slice(0, 4);
    stage.anthropic.reply((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(Buffer.concat([...begun, anthropic.errorEvent]));
    });
    const failure = await failureOf(clientOf(stage.access), 'stream', { model: PACKAGE_MODEL });
    expect(failure).toEqual(midStream(529, /overloaded/));
  });
});

import type { ChatClient, ClientRequest } from '../../support/calls/chat-clients/chat-client.js';
import { RESPONSES_CLIENTS } from '../../support/calls/responses-clients/all-responses-clients.js';
import { messageItem, namedEventBytes, vendorEvents } from '../../support/vendors/responses-vendor.js';
import { CHAT_TEXT, type ChatScript } from '../../support/vendors/scripted-chat-vendor.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';
import { startTextStage, type TextStage } from '../../support/calls/text-stage.js';

interface FailureCase {
  readonly status: number;
  readonly message: RegExp;
  readonly request?: Partial<Omit<ClientRequest, 'messages'>>;
  readonly script?: ChatScript;
  readonly key?: 'unknown' | 'poor';
}

const status = (code: number, more: Partial<ChatScript> = {}): ChatScript => ({
  status: code,
  body: { error: { message: `The vendor says ${code}` } },
  ...more,
});

const FAILURES: Readonly<Record<string, FailureCase>> = {
  "a vendor's 400": { status: 400, message: /The vendor says 400/, script: status(400) },
  'an unknown key': { status: 401, message: /key/, key: 'unknown' },
  'a key that can afford less': {
    status: 402,
    message: /can only afford [1-9]/,
    key: 'poor',
    request: { maxTokens: 1_000 },
  },
  'an unknown model': { status: 404, message: /no.such/, request: { model: 'no/such' } },
  "a vendor's 429": { status: 429, message: /limits the rate/, script: status(429) },
  "a vendor's 500": { status: 502, message: /failed/, script: status(500) },
  "a vendor's 503": { status: 529, message: /overloaded/, script: status(503) },
};

const EVENTS = vendorEvents([messageItem(CHAT_TEXT.join(''))], { pieces: CHAT_TEXT });
const BEGUN = namedEventBytes(EVENTS.slice(0, 6));
const FAILED = { type: 'response.failed', response: { status: 'failed', error: { code: 'rate_limit', message: 'x' } } };
const MID_STREAM: Readonly<Record<string, ChatScript>> = {
  'a failure that the vendor reports': { bytes: Buffer.concat([BEGUN, namedEventBytes([FAILED])]) },
  'a stream that ends early': { bytes: BEGUN },
};

let stage: TextStage;
let poorKey: string;
beforeAll(async () => {
  stage = await startTextStage({ env: { WIRE_DIALECT: 'openrouter' } });
  poorKey = (await stage.service.management.post('/keys', { json: { name: 'poor', limit: 0.000_9 } })).json.key;
});
afterAll(() => stage.stop());

describe.each(Object.entries(RESPONSES_CLIENTS))('%s', (_, clientOf) => {
  const clientWith = (apiKey: string): ChatClient => clientOf({ baseUrl: `${stage.service.origin}/api/v1`, apiKey });

  async function failureOf(client: ChatClient, way: 'complete' | 'stream', request: FailureCase['request'] = {}) {
    const sent = { model: 'rules/openai', messages: [client.user('Hello')], ...request };
    const thrown: unknown = await client[way](sent).then(
      (reply) => new Error(`no failure: ${JSON.stringify(reply)}`),
      (error: unknown) => error,
    );
    return client.failure(thrown);
  }

  describe.each(['complete', 'stream'] as const)('%s', (way) => {
    it.each(Object.entries(FAILURES))('reports %s', async (_name, { key, request, script, status: code, message }) => {
      stage.vendors.openai.clear();
      if (script) stage.vendors.openai.script(script);
      const client = clientWith(key === 'poor' ? poorKey : key === 'unknown' ? 'sk-unknown' : TEST_API_KEY);
      expect(await failureOf(client, way, request)).toMatchObject({
        status: code,
        message: expect.stringMatching(message),
      });
    });
  });

  it.each(Object.entries(MID_STREAM))('reports %s', async (_name, script) => {
    stage.vendors.openai.clear();
    stage.vendors.openai.script(script);
    const { message } = await failureOf(clientWith(TEST_API_KEY), 'stream');
    expect(message).toMatch(/limits the rate|before it was complete/);
  });
});

import { messageEvents } from '../../support/calls/message-events.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import { aTextEndpoint, HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

const CAP_BYTES = 65_536;
let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage({
    env: { CHAT_BODY_LIMIT_BYTES: String(CAP_BYTES), BOOTSTRAP_CREDITS_USD: '0.01', RATE_LIMIT_COUNTING: '2/60' },
  });
  stage.teach('rules/dear', [aTextEndpoint('anthropic', { tokenPrices: { prompt: '0.001', completion: '0.001' } })]);
});
afterAll(() => stage.stop());
beforeEach(() => stage.anthropic.clear());

const fails = (status: number, body: object = {}): void =>
  stage.anthropic.reply((response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '3' });
    response.end(JSON.stringify({ ...TEXT_VENDORS.anthropic.errorBody, ...body }));
  });

describe('an error of /messages', () => {
  it.each<[number, string, string, object]>([
    [400, 'invalid_request_error', 'invalid_request', { messages: 'Hello' }],
    [400, 'invalid_request_error', 'invalid_request', { messages: [{ role: 'tool', content: 'x' }] }],
    [400, 'invalid_request_error', 'invalid_request', { max_tokens: 0 }],
    [400, 'invalid_request_error', 'invalid_request', { plugins: [{ id: 'web' }] }],
    [400, 'invalid_request_error', 'invalid_request', { models: [], fallbacks: [] }],
    [400, 'invalid_request_error', 'invalid_request', { inference_geo: 'us' }],
    [402, 'billing_error', 'payment_required', { model: 'rules/dear' }],
    [404, 'not_found_error', 'not_found', { model: 'no/such-model' }],
    [413, 'request_too_large', 'payload_too_large', { system: 'x'.repeat(CAP_BYTES) }],
  ])('has the status %i and the type %s', async (status, type, errorType, body) => {
    for (const stream of [false, true]) {
      const answer = await stage.messages({ ...body, stream });
      expect(answer.status).toBe(status);
      expect(answer.json).toEqual({
        type: 'error',
        error: expect.objectContaining({ type, error_type: errorType, message: expect.stringMatching(/./) }),
        request_id: null,
      });
    }
  });

  it('states the requested and the affordable tokens, and the source of the limit', async () => {
    const { json } = await stage.messages({ model: 'rules/dear' });
    expect(json.error).toMatchObject({ requested_tokens: 100, affordable_tokens: 0, limit_source: 'credits' });
  });

  it('has the type authentication_error for a management key', async () => {
    const { status, json } = await stage.messages({}, { key: TEST_MANAGEMENT_KEY });
    expect([status, json.error.type]).toEqual([401, 'authentication_error']);
  });

  it.each<[number, number, string]>([
    [400, 400, 'invalid_request_error'],
    [429, 429, 'rate_limit_error'],
    [500, 502, 'api_error'],
    [529, 529, 'overloaded_error'],
  ])(
    'of a vendor that returns %i has the status %i, the type %s and the id of the call',
    async (sent, status, type) => {
      // Each case has its own upstream model, because a credential rests for a model after a 429.
      stage.teach('rules/failing', [aTextEndpoint('anthropic', { upstreamModel: `failing-${sent}` })]);
      fails(sent);
      const answer = await stage.messages({ model: 'rules/failing' });
      expect(answer.status).toBe(status);
      expect(answer.json).toMatchObject({ type: 'error', error: { type }, request_id: expect.stringMatching(/^gen-/) });
      expect(answer.json.request_id).toBe(answer.headers.get('x-generation-id'));
    },
  );

  it('in mid-stream is the last event', async () => {
    const { events, errorEvent, usage } = TEXT_VENDORS.anthropic;
    const begun = events({ text: ['Hi'], finish: 'end_turn', usage }).slice(0, 4);
    stage.anthropic.reply((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(Buffer.concat([...begun, errorEvent]));
    });
    const { status, text, headers } = await stage.messages({ stream: true });
    expect(status).toBe(200);
    const read = messageEvents(text);
    expect(read[0].type).toBe('message_start');
    expect(read.at(-1)).toMatchObject({
      type: 'error',
      error: { type: expect.stringMatching(/^(?:overloaded|api)_error$/), error_type: expect.any(String) },
      request_id: headers.get('x-generation-id'),
    });
    expect(text).not.toContain('message_stop');
  });

  it.each([
    ['a file by its id', { type: 'document', source: { type: 'file', file_id: 'file-1' } }],
    [
      'a file in the result of a tool',
      { type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: { type: 'file' } }] },
    ],
    ['a container', { type: 'container_upload', file_id: 'file-1' }],
  ])('names the block with %s', async (_, block) => {
    const { status, json } = await stage.messages({ messages: [{ role: 'user', content: [block] }] });
    expect(status).toBe(400);
    expect(json.error.message).toMatch(/messages\[0\]\.content\[0\].*files by id/);
  });

  it('names the members that no provider of the model accepts', async () => {
    const { status, json } = await stage.messages({
      model: 'builtin/eliza',
      messages: [{ role: 'user', content: [{ type: 'x_new' }] }],
    });
    expect(status).toBe(400);
    expect(json.error.message).toMatch(/messages\[0\]\.content\[0\]: blocks of type x_new/);
  });

  it('for too many counts of tokens states when to retry', async () => {
    const json = { model: 'builtin/eliza', messages: HELLO };
    const statuses: number[] = [];
    for (let count = 0; count < 3; count++) {
      const answer = await stage.service.standard.post('/messages/count_tokens', { json });
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      expect(answer.json).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});

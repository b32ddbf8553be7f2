import type { EmbeddingCall } from '../../../src/providers/ports/embedding-adapter.port.js';
import { eventually } from '../../support/eventually.js';
import { chatCall, startChatStage, VENDOR_KEY, type ChatStage } from '../../support/vendors/chat-through-vendor.js';
import { CHAT_USAGE, goodCompletion, goodEvents } from '../../support/vendors/scripted-chat-vendor.js';

let stage: ChatStage;
beforeAll(async () => (stage = await startChatStage()));
afterAll(() => stage.close());
const messages = [{ role: 'user', content: 'hi' }];

describe('the text adapter of compatible vendors', () => {
  it("posts the caller's bytes with the vendor's key", async () => {
    const response = await stage.text.send(chatCall({ model: 'a/b', messages, x_new: 1 }));
    expect(response.isStream).toBe(false);
    expect(JSON.parse((await response.whole(10_000)).toString())).toEqual(goodCompletion());
    const { path, headers, raw } = stage.vendor.seen.at(-1)!;
    expect(path).toBe('/v1/chat/completions');
    expect(headers.authorization).toBe(`Bearer ${VENDOR_KEY}`);
    expect(raw.toString()).toBe('{"model":"vendor-model","messages":[{"role":"user","content":"hi"}],"x_new":1}');
  });

  it('accepts a complete response instead of a stream', async () => {
    stage.vendor.script({ body: goodCompletion() });
    const response = await stage.text.send(chatCall({ model: 'a/b', messages, stream: true }));
    expect(response.isStream).toBe(false);
    expect(JSON.parse((await response.whole(10_000)).toString())).toEqual(goodCompletion());
  });

  it('refuses a body that is larger than the given maximum', async () => {
    const response = await stage.text.send(chatCall({ model: 'a/b', messages }));
    await expect(response.whole(10)).rejects.toMatchObject({ kind: 'provider_failed' });
  });

  it.each([
    [400, 'invalid_request', 'bad n for [redacted]'],
    [422, 'invalid_request', 'bad n for [redacted]'],
    [401, 'provider_failed', /own account/],
    [429, 'rate_limited', /limits the rate/],
    [500, 'provider_failed', /failed to answer/],
    [503, 'provider_overloaded', /overloaded/],
  ])('throws for the status %d before the response begins', async (status, kind, message) => {
    stage.vendor.script({ status, body: { error: { message: `bad n for ${VENDOR_KEY}` } } });
    const sent = stage.text.send(chatCall({ model: 'a/b', messages, stream: true }));
    await expect(sent).rejects.toMatchObject({
      kind,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    });
  });

  it('aborts the call if the reader stops reading', async () => {
    stage.vendor.script({ events: goodEvents(), pauseMs: 50 });
    const response = await stage.text.send(chatCall({ model: 'a/b', messages, stream: true }));
    const events = response.events();
    expect((await events.next()).done).toBe(false);
    await events.return!();
    expect((await events.next()).done).toBe(true);
    await eventually(async () => expect(stage.vendor.seen.at(-1)!.aborted).toBe(true));
  });

  it('knows the formats of a vendor, whether it bills aborted calls to the end, and why it cannot be reached', () => {
    expect(stage.text.formatsOf({ provider: 'openai' })).toEqual(['chat', 'responses']);
    expect(stage.text.billsToTheEnd({ provider: 'groq' })).toBe(true);
    expect(stage.text.billsToTheEnd({ provider: 'openai' })).toBe(false);
    expect(stage.text.unreachableReason({ provider: 'vllm' })).toBeUndefined();
    expect(stage.text.unreachableReason({ provider: 'nobody' })).toMatch(/does not know/);
  });
});

describe('the embedding adapter of compatible vendors', () => {
  const embedding = (more: Partial<EmbeddingCall> = {}): EmbeddingCall => {
    const { request: _, streamed: _streamed, ...call } = chatCall({});
    return { ...call, inputs: ['a', 'b'], isSingle: false, ...more };
  };

  it('passes on vectors as base64 if the vendor supports it', async () => {
    const { vectors, usage } = await stage.embeddings.embed(
      embedding({ dimensions: 3, inputType: 'query', endUser: 'h' }),
    );
    expect(
      vectors.map((vector) => [...new Float32Array(Uint8Array.from(Buffer.from(vector as string, 'base64')).buffer)]),
    ).toEqual([
      [0, 0.5, -1],
      [1, 0.5, -1],
    ]);
    expect(usage).toEqual({ prompt_tokens: CHAT_USAGE.prompt_tokens, total_tokens: CHAT_USAGE.prompt_tokens });
    expect(stage.vendor.seen.at(-1)!.json).toEqual({
      model: 'vendor-model',
      input: ['a', 'b'],
      encoding_format: 'base64',
      dimensions: 3,
      input_type: 'query',
      user: 'h',
    });
  });

  it('requests numbers from vendors that do not support base64, and sends only given members', async () => {
    const { vectors } = await stage.embeddings.embed(
      embedding({ provider: 'ollama', inputs: [[1, 2]], isSingle: true }),
    );
    expect(vectors).toEqual([[0, 0.5, -1]]);
    expect(stage.vendor.seen.at(-1)!.json).toEqual({ model: 'vendor-model', input: [1, 2], encoding_format: 'float' });
  });

  it('puts vectors into the order of their indexes', async () => {
    const data = [
      { index: 1, embedding: [2] },
      { index: 0, embedding: [1] },
    ];
    stage.vendor.script({ body: { id: 'e-1', data } });
    expect(await stage.embeddings.embed(embedding())).toEqual({
      vectors: [[1], [2]],
      usage: undefined,
      upstreamId: 'e-1',
    });
  });

  it.each([
    ['an error', { error: { message: 'x', code: 429 } }],
    ['too few vectors', { data: [{ index: 0, embedding: [1] }] }],
    [
      'an index twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    ['a vector of texts', { data: [{ embedding: ['1'] }, { embedding: [1] }] }],
    ['a vector that is not base64', { data: [{ embedding: 'no base64!' }, { embedding: [1] }] }],
    ['an empty vector', { data: [{ embedding: [] }, { embedding: [1] }] }],
    ['no object', '[]'],
    ['no JSON', 'oops'],
  ])('fails on %s', async (_, body) => {
    stage.vendor.script({ body });
    await expect(stage.embeddings.embed(embedding())).rejects.toMatchObject({ name: 'GatewayError' });
  });
});

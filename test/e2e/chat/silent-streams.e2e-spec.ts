import { jest } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chatChunk, CHAT_TEXT, goodEvents, type ChatScript } from '../../support/vendors/scripted-chat-vendor.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';
import { HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

const COMMENT = ': GATEHOUSE PROCESSING\n\n';
const CHECK_MS = 1_000;

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage({ env: { UPSTREAM_TIMEOUT_MS: '60000' } })));
afterAll(() => stage.stop());

/** The offset that is added to performance.now(). */
let ahead = 0;
beforeEach(() => {
  ahead = 0;
  const now = performance.now.bind(performance);
  jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
});
afterEach(() => void jest.restoreAllMocks());

/** Starts a stream whose vendor is silent until `release`. Provides the bytes that the caller has received. */
async function startSilentStream(script: ChatScript, body: object = {}) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  stage.vendors.openai.script({ ...script, released });
  const calls = stage.vendors.openai.seen.length;
  let received = '';
  let status = 0;
  let hasEnded = false;
  const ended = fetch(`${stage.service.origin}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TEST_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'rules/openai', messages: HELLO, stream: true, ...body }),
  }).then(async (response) => {
    status = response.status;
    for await (const bytes of response.body!) received += Buffer.from(bytes as Uint8Array).toString();
    hasEnded = true;
  });
  await eventually(async () => expect(stage.vendors.openai.seen.length).toBe(calls + 1));
  const receives = (text: string): Promise<void> => eventually(async () => expect(received).toBe(text), 4 * CHECK_MS);
  return { release, ended, receives, state: () => ({ status, received, hasEnded }) };
}

const SILENT: ChatScript = { events: goodEvents(), holdAfter: 0 };
const FAILS: ChatScript = { events: [{ error: { message: 'x', code: 500 } }], holdAfter: 0 };
const contentOf = (received: string): string =>
  [...received.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)].map(([, json]) => JSON.parse(json!) as string).join('');

describe('a stream with a silent vendor', () => {
  it('has a comment every ten seconds, and then the data of the vendor', async () => {
    const stream = await startSilentStream(SILENT);
    ahead = 5_000;
    await new Promise((resolve) => setTimeout(resolve, 1.2 * CHECK_MS));
    expect(stream.state().received).toBe('');
    ahead += 10_000;
    await stream.receives(COMMENT);
    ahead += 10_000;
    await stream.receives(COMMENT + COMMENT);
    stream.release();
    await stream.ended;
    expect(stream.state().status).toBe(200);
    expect(contentOf(stream.state().received)).toBe(CHAT_TEXT.join(''));
    expect(stream.state().received.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('also has comments if the vendor becomes silent in the middle', async () => {
    const events = [
      chatChunk({ role: 'assistant', content: '' }),
      chatChunk({ content: 'a' }),
      ...goodEvents().slice(-3),
    ];
    const stream = await startSilentStream({ events, holdAfter: 2 });
    await eventually(async () => expect(stream.state().received).toContain('"content":"a"'));
    const { received } = stream.state();
    ahead += 11_000;
    await stream.receives(received + COMMENT);
    stream.release();
    await stream.ended;
    expect(contentOf(stream.state().received)).toBe('a');
  });

  it('moves to the next model after comments if it has no data yet', async () => {
    const stream = await startSilentStream(FAILS, { models: ['rules/deepinfra'] });
    ahead += 11_000;
    await stream.receives(COMMENT);
    stream.release();
    await stream.ended;
    expect(stream.state().received).toContain('"provider":"deepinfra"');
    expect(contentOf(stream.state().received)).toBe(CHAT_TEXT.join(''));
  });

  it('fails with a status before the first comment, and with an error chunk after this comment', async () => {
    const early = await startSilentStream(FAILS);
    early.release();
    await early.ended;
    expect([early.state().status, JSON.parse(early.state().received).error.code]).toEqual([502, 502]);

    const late = await startSilentStream(FAILS);
    ahead += 11_000;
    await late.receives(COMMENT);
    late.release();
    await late.ended;
    const [, chunk, done] = late.state().received.split('\n\n');
    expect([late.state().status, done]).toEqual([200, 'data: [DONE]']);
    expect(JSON.parse(chunk!.slice('data: '.length))).toEqual({
      id: expect.stringMatching(/^gen-/),
      object: 'chat.completion.chunk',
      created: expect.any(Number),
      model: 'rules/openai',
      provider: expect.any(String),
      error: { code: 502, message: expect.any(String), metadata: { error_type: 'provider_unavailable' } },
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', native_finish_reason: null }],
    });
  });
});

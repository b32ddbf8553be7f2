import { settledSpend } from '../../support/money/account-totals.js';
import { messageEvents } from '../../support/calls/message-events.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';
import { aTextEndpoint, HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';
import { TEXT_VENDORS } from '../../support/vendors/text-vendor-formats.js';

const CLAUDE = TEXT_VENDORS.anthropic;
const MODEL = 'rules/priced';
const PRICES = {
  prompt: '0.000003',
  completion: '0.000015',
  cacheRead: '0.0000003',
  cacheWrite: '0.00000375',
  cacheWrite1h: '0.000006',
};
/** 10 × 3,000 + 300 × 300 + 20 × 3,750 + 30 × 6,000 + 7 × 15,000 */
const USAGE_NANO = 480_000n;

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage({ env: { BOOTSTRAP_CREDITS_USD: '1' } });
  stage.teach(MODEL, [aTextEndpoint('anthropic', { tokenPrices: PRICES })]);
});
afterAll(() => stage.stop());
beforeEach(() => stage.anthropic.clear());

const spent = (): Promise<bigint> => settledSpend(stage.service.sql);
async function costOf(call: () => Promise<unknown>): Promise<bigint> {
  const before = await spent();
  await call();
  return (await spent()) - before;
}

describe('the cost of a message', () => {
  it.each([false, true])('is its tokens, each class at its own price (streamed: %s)', async (stream) => {
    stage.claude({}, stream);
    let shown: unknown;
    const cost = await costOf(async () => {
      const { text, json } = await stage.messages({ model: MODEL, stream });
      shown = stream ? messageEvents(text).at(-2).usage.cost : json.usage.cost;
    });
    expect(cost).toBe(USAGE_NANO);
    expect(shown).toBe(Number(USAGE_NANO) / 1e9);
  });

  it('is 0 if the vendor fails before or during the stream', async () => {
    const begun = CLAUDE.events({ text: ['Hi'], finish: 'end_turn', usage: CLAUDE.usage }).slice(0, 4);
    stage.anthropic.reply((response) => void response.writeHead(500).end());
    stage.anthropic.reply((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(Buffer.concat([...begun, CLAUDE.errorEvent]));
    });
    expect(await costOf(() => stage.messages({ model: MODEL }))).toBe(0n);
    expect(await costOf(() => stage.messages({ model: MODEL, stream: true }))).toBe(0n);
  });

  it.each(['/messages', '/chat/completions'])(
    'is its tokens if the stream breaks off after its stop reason and usage: %s',
    async (path) => {
      const [stop, ...events] = CLAUDE.events({ text: ['Hi'], finish: 'end_turn', usage: CLAUDE.usage }).toReversed();
      expect(stop!.toString()).toContain('message_stop');
      stage.anthropic.reply((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(Buffer.concat(events.toReversed()), () => response.destroy());
      });
      const cost = await costOf(async () => {
        const json = { model: MODEL, max_tokens: 100, messages: HELLO, stream: true };
        const { status, text, headers } = await stage.service.standard.post(path, { json });
        expect([status, text.includes('error')]).toEqual([200, false]);
        const { json: record } = await stage.service.standard.get(`/generation?id=${headers.get('x-generation-id')}`);
        expect(record.data).toMatchObject({ finish_reason: 'stop', cancelled: false, usage_estimated: false });
      });
      expect(cost).toBe(USAGE_NANO);
    },
  );

  it('is the cost of the input and of the received output if the caller leaves', async () => {
    const begun = CLAUDE.events({ text: ['one two three'], finish: 'end_turn', usage: CLAUDE.usage }).slice(0, 4);
    stage.anthropic.reply((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(Buffer.concat(begun));
    });
    const cost = await costOf(async () => {
      const left = new AbortController();
      const response = await fetch(`${stage.service.origin}/api/v1/messages`, {
        method: 'POST',
        signal: left.signal,
        headers: { 'x-api-key': TEST_API_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ model: MODEL, max_tokens: 100, messages: HELLO, stream: true }),
      });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      for (let read = ''; !read.includes('three');) read += (await reader.read()).value ?? '';
      left.abort();
      await reader.closed.catch(() => undefined);
    });
    // The vendor has reported its input (375,000 nano-dollars), and at least three tokens were received.
    expect(cost).toBeGreaterThanOrEqual(375_000n + 3n * 15_000n);
    expect(cost).toBeLessThan(USAGE_NANO);
  });

  it('is reserved before the call: a message that the key cannot afford is not sent', async () => {
    const { json } = await stage.service.management.post('/keys', { json: { name: 'poor', limit: 0.001 } });
    const seen = stage.anthropic.seen.length;
    const { status, json: refusal } = await stage.messages({ model: MODEL, max_tokens: 4_000 }, { key: json.key });
    expect(status).toBe(402);
    expect(refusal.error).toMatchObject({ type: 'billing_error', requested_tokens: 4_000, limit_source: 'key_limit' });
    expect(refusal.error.message).toMatch(/Set max_tokens to at most/);
    expect(stage.anthropic.seen).toHaveLength(seen);
    stage.claude();
    const { affordable_tokens: affordable } = refusal.error;
    const answer = await stage.messages({ model: MODEL, max_tokens: affordable }, { key: json.key });
    expect(answer.status).toBe(200);
  });
});

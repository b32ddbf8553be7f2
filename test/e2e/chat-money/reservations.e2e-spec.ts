import { makeKey } from '../../support/api/api-builders.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import {
  callStream,
  CANCELLABLE,
  PROMPT,
  startChatMoneyStage,
  type ChatMoneyStage,
} from '../../support/money/chat-money-stage.js';
import { expectBalanced, readBooks } from '../../support/money/count-the-money.js';
import { eventually } from '../../support/eventually.js';
import { streamEvents } from '../../support/vendors/scripted-chat-vendor.js';

// In nano-dollars: prompt token 3,000, completion token 15,000. The endpoint generates at most 1,000 tokens.
/** 13 bytes of text, 4 of the role, 64 for the frame, 8 for the message: 89 × 3,000 */
const INPUT_NANO = 267_000n;
const USAGE = { prompt_tokens: 20, completion_tokens: 1 };

let stage: ChatMoneyStage;
beforeAll(async () => (stage = await startChatMoneyStage()));
afterAll(async () => {
  expectBalanced(await readBooks(stage.service.sql));
  await stage.stop();
});

/** Returns the reserved amount while the vendor generates, and the output bound that the vendor received. */
async function heldBy(body: object, at = stage): Promise<{ reserved: bigint; bound: unknown }> {
  const held = Promise.withResolvers<void>();
  at.vendor.script({ events: streamEvents(1, USAGE), holdAfter: 1, released: held.promise });
  const caller = await callStream(at.service, body);
  const { accountReserved: reserved, keysReserved, openReservations } = await readBooks(at.service.sql);
  expect([keysReserved, openReservations]).toEqual([reserved, 1n]);
  held.resolve();
  await caller.readAll();
  await at.spent();
  const { max_tokens: maxTokens, max_completion_tokens: bound } = at.vendor.seen.at(-1)!.json;
  expect(maxTokens).toBeUndefined();
  return { reserved, bound };
}

describe('a stream reserves', () => {
  it.each<[string, object, bigint, number | undefined]>([
    ['the output that it may have', { max_tokens: 10 }, INPUT_NANO + 10n * 15_000n, 10],
    ['the bound that is not deprecated', { max_tokens: 900, max_completion_tokens: 10 }, INPUT_NANO + 150_000n, 10],
    ['the output of each choice', { max_tokens: 10, n: 3 }, INPUT_NANO + 3n * 10n * 15_000n, 10],
    ['the maximum output of the endpoint, without a bound', {}, INPUT_NANO + 1_000n * 15_000n, undefined],
    [
      'tool definitions too',
      // 16 bytes for a tool, and 53 bytes for its definition with the punctuation of JSON.
      { max_tokens: 10, tools: [{ type: 'function', function: { name: 'f' } }] },
      INPUT_NANO + 150_000n + 69n * 3_000n,
      10,
    ],
  ])('%s', async (_, body, reserved, bound) => {
    expect(await heldBy(body)).toEqual({ reserved, bound });
  });

  it('DEFAULT_MAX_OUTPUT_TOKENS, which is forwarded, if neither caller nor workspace sets a bound', async () => {
    const bounded = await startChatMoneyStage({ env: { DEFAULT_MAX_OUTPUT_TOKENS: '50' } });
    try {
      expect(await heldBy({}, bounded)).toEqual({ reserved: INPUT_NANO + 50n * 15_000n, bound: 50 });
      expect(await heldBy({ max_tokens: 70 }, bounded)).toEqual({ reserved: INPUT_NANO + 70n * 15_000n, bound: 70 });
      const { json } = await bounded.service.management.get('/workspaces');
      const path = `/workspaces/${json.data[0].id}/settings`;
      await bounded.service.management.patch(path, { json: { default_max_output_tokens: 20 } });
      // A service detects a change of a workspace within 5 seconds.
      await eventually(async () =>
        expect(await heldBy({}, bounded)).toEqual({ reserved: INPUT_NANO + 20n * 15_000n, bound: 20 }),
      );
      // A default above the maximum of the endpoint.
      await bounded.service.management.patch(path, { json: { default_max_output_tokens: 5_000 } });
      await eventually(async () =>
        expect(await heldBy({}, bounded)).toEqual({ reserved: INPUT_NANO + 1_000n * 15_000n, bound: 1_000 }),
      );
    } finally {
      await bounded.stop();
    }
  });
});

describe('a 402', () => {
  const chat = (key: string | undefined, body: object, at = stage): Promise<ApiAnswer> =>
    at.service.standard.post('/chat/completions', {
      ...(key === undefined ? {} : { key }),
      json: { model: CANCELLABLE, messages: [{ role: 'user', content: PROMPT }], ...body },
    });

  it("has the amounts, and the largest number of output tokens that the key's limit allows", async () => {
    // 267,000 + 10 × 15,000
    const { key } = await makeKey(stage.service.management, { limit: 0.000417 });
    const refused = await chat(key, { max_tokens: 11 });
    expect(refused.status).toBe(402);
    expect(refused.json.error.metadata).toEqual({
      error_type: 'payment_required',
      limit_source: 'key_limit',
      requested_tokens: 11,
      affordable_tokens: 10,
    });
    expect(refused.json.error.message).toContain('It can cost up to $0.000432, and $0.000417 is left.');
    expect(stage.vendor.seen.filter(({ json }) => json.max_completion_tokens === 11)).toEqual([]);
    expect((await chat(key, { max_tokens: 10 })).status).toBe(200);
  });

  it.each([
    // A limit below the price of the prompt; one nano-dollar below the price of the prompt and one output token;
    // exactly that price.
    [0.000266, 0],
    [0.000281999, 0],
    [0.000282, 1],
  ])('of a limit of %s USD names %s affordable tokens', async (limit, affordable) => {
    const { key } = await makeKey(stage.service.management, { limit });
    const { json } = await chat(key, {});
    // The request has no bound, so `requested_tokens` is the maximum output of the endpoint.
    expect(json.error.metadata).toMatchObject({ requested_tokens: 1_000, affordable_tokens: affordable });
  });

  it('of the credits names no amounts: a standard key must not read the balance', async () => {
    const poor = await startChatMoneyStage({ env: { BOOTSTRAP_CREDITS_USD: '0.000417' } });
    try {
      const { status, json } = await chat(undefined, { max_tokens: 11 }, poor);
      expect(status).toBe(402);
      expect(json.error.metadata).toMatchObject({
        limit_source: 'credits',
        requested_tokens: 11,
        affordable_tokens: 10,
      });
      expect(json.error.message).not.toContain('$');
      expect(json.error.message).not.toContain('0.000417');
      const streamed = await callStream(poor.service, { max_tokens: 11 });
      expect(streamed.response.status).toBe(402);
      expect(JSON.parse(await streamed.readAll()).error).toEqual(json.error);
      expect((await chat(undefined, { max_tokens: 10 }, poor)).status).toBe(200);
    } finally {
      await poor.stop();
    }
  });
});

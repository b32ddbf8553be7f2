import { jest } from '@jest/globals';
import { TokenCounter } from '../../../src/inference/text/token-counter.js';
import { makeKey } from '../../support/api/api-builders.js';
import { TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import { HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(
  async () => (stage = await startTextStage({ env: { RATE_LIMIT_COUNTING: 'off', COUNT_TOKENS_AT_ONCE: '2' } })),
);
afterAll(() => stage.stop());

const MODEL = 'rules/anthropic';
const counted = (body: object = {}, key?: string): Promise<ApiAnswer> =>
  stage.service.standard.post('/messages/count_tokens', { json: { model: MODEL, messages: HELLO, ...body }, key });
const tokensOf = async (body: object = {}): Promise<number> => {
  const { status, json, text } = await counted(body);
  if (status !== 200) throw new Error(text);
  expect(json).toEqual({ input_tokens: expect.any(Number) });
  return json.input_tokens;
};
const WORDS = 'one two three four five six seven eight nine ten';

describe('POST /messages/count_tokens', () => {
  it('counts the input of the model', async () => {
    const none = await tokensOf();
    expect(none).toBeGreaterThan(0);
    expect(none).toBeLessThan(20);
    expect((await tokensOf({ system: WORDS })) - none).toBeGreaterThanOrEqual(10);
    expect(
      (await tokensOf({ tools: [{ name: 'look', description: WORDS, input_schema: {} }] })) - none,
    ).toBeGreaterThan(10);
    const thinking = [
      ...HELLO,
      { role: 'assistant', content: [{ type: 'thinking', thinking: WORDS, signature: 's' }] },
    ];
    expect((await tokensOf({ messages: thinking })) - none).toBeGreaterThanOrEqual(10);
  });

  it('does not count the characters of signatures and pictures', async () => {
    const none = await tokensOf();
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo'.repeat(5_000) },
    };
    const signed = { type: 'thinking', thinking: 'a', signature: 'c2lnbmF0dXJl'.repeat(5_000) };
    expect((await tokensOf({ messages: [{ role: 'user', content: [image] }] })) - none).toBeLessThan(2_000);
    expect((await tokensOf({ messages: [...HELLO, { role: 'assistant', content: [signed] }] })) - none).toBeLessThan(
      50,
    );
  });

  it('is free, creates no generation and calls no vendor', async () => {
    const { sql } = stage.service;
    const generations = (): Promise<object[]> => sql.query('select id from generation');
    const before = await generations();
    const seen = stage.anthropic.seen.length;
    const { headers } = await counted();
    expect(headers.get('x-generation-id')).toBeNull();
    expect(await generations()).toEqual(before);
    expect(stage.anthropic.seen).toHaveLength(seen);
  });

  it('refuses a management key and an invalid request', async () => {
    const { status, json } = await counted({}, TEST_MANAGEMENT_KEY);
    expect([status, json.error.type]).toEqual([401, 'authentication_error']);
    expect((await counted({ messages: [] })).json.error.type).toBe('invalid_request_error');
  });

  it('returns 404 for an unknown model, unless one of its fallbacks is known', async () => {
    const { status, json } = await counted({ model: 'x/y' });
    expect([status, json.error.type]).toEqual([404, 'not_found_error']);
    expect((await counted({ model: 'x/y', models: ['x/z'] })).status).toBe(404);
    expect((await counted({ model: 'x/y', models: [MODEL] })).status).toBe(200);
    expect((await counted({ model: 'x/y:nitro' })).status).toBe(404);
    expect((await counted({ model: `${MODEL}:nitro` })).status).toBe(200);
    expect((await counted({ model: 'x/y', models: [`${MODEL}:floor`] })).status).toBe(200);
  });

  it('states in a header if the count is an upper bound', async () => {
    const count = jest.spyOn(stage.service.app.get(TokenCounter, { strict: false }), 'count');
    count.mockResolvedValueOnce({ tokens: 1_000, isBound: true, cpuMs: 1 });
    const bound = await counted();
    expect([bound.status, bound.headers.get('x-gatehouse-estimate')]).toEqual([200, 'bound']);
    expect((await counted()).headers.get('x-gatehouse-estimate')).toBeNull();
    expect(count.mock.calls.map(([, lane]) => lane)).toEqual(['estimate', 'estimate']);
    count.mockRestore();
  });

  it('refuses a key that has used its CPU time of a minute, and no other key', async () => {
    const { key } = await makeKey(stage.service.management);
    const count = jest.spyOn(stage.service.app.get(TokenCounter, { strict: false }), 'count');
    count.mockResolvedValueOnce({ tokens: 1, isBound: false, cpuMs: 40_000 });
    expect((await counted({}, key)).status).toBe(200);
    const { status, headers, json } = await counted({}, key);
    expect(status).toBe(429);
    expect(json).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error', message: expect.stringMatching(/try again in \d+ seconds$/) },
    });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(30);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await counted()).status).toBe(200);
    count.mockRestore();
  });

  it('serves two simultaneous requests of a key, refuses a third, and later serves the next', async () => {
    const counter = stage.service.app.get(TokenCounter, { strict: false });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const count = jest.spyOn(counter, 'count').mockImplementation(async () => {
      await released;
      return { tokens: 1, isBound: false, cpuMs: 0 };
    });
    const first = [counted(), counted()];
    while (count.mock.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const third = await counted();
    expect(third.status).toBe(429);
    expect(third.json.error).toMatchObject({
      type: 'rate_limit_error',
      message: expect.stringMatching(/2 times at once/),
    });
    release();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await counted()).status).toBe(200);
    count.mockRestore();
  });
});

import type { ApiAnswer } from '../../support/api/api-client.js';
import { HELLO, startTextStage, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => {
  stage = await startTextStage({ env: { COUNT_TOKENS_FORWARDED: 'true', RATE_LIMIT_COUNTING: 'off' } });
});
afterAll(() => stage.stop());
beforeEach(() => stage.anthropic.clear());

const counted = (body: object = {}): Promise<ApiAnswer> =>
  stage.service.standard.post('/messages/count_tokens', {
    json: { model: 'rules/anthropic', messages: HELLO, ...body },
    headers: { 'anthropic-version': '2026-10-21' },
  });
const replies = (status: number, body: string): void =>
  stage.anthropic.reply(
    (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(body),
  );

describe('a count of input tokens', () => {
  it('is the count of the vendor, which gets the request without members of this service', async () => {
    replies(200, '{"input_tokens":4242}');
    const { status, json } = await counted({ user: 'u', session_id: 's', provider: {}, tools: [] });
    expect([status, json]).toEqual([200, { input_tokens: 4_242 }]);
    const { url, json: sent, headers } = stage.anthropic.seen.at(-1)!;
    expect(url).toMatch(/\/messages\/count_tokens$/);
    expect(sent).toEqual({ model: expect.any(String), messages: HELLO, tools: [] });
    expect(headers).toMatchObject({ 'anthropic-version': '2026-10-21' });
  });

  it('is free, and creates no generation', async () => {
    replies(200, '{"input_tokens":1}');
    await counted();
    const rows = await stage.service.sql.query('select id from generation union all select id from reservation');
    expect(rows).toEqual([]);
  });

  it.each([
    [500, '{}'],
    [400, '{"type":"error","error":{"type":"invalid_request_error","message":"no"}}'],
    [200, '{"input_tokens":-1}'],
    [200, 'no JSON'],
  ])('is calculated by this service if the vendor returns %i with %s', async (status, body) => {
    replies(status, body);
    const answer = await counted();
    expect(answer.status).toBe(200);
    expect(answer.json.input_tokens).toBeGreaterThan(0);
    expect(answer.json.input_tokens).toBeLessThan(20);
  });

  it.each(['rules/openai', 'builtin/eliza'])(
    'is calculated by this service for %s, because its vendor does not count tokens',
    async (model) => {
      const seen = stage.anthropic.seen.length;
      const { status, json } = await counted({ model });
      expect([status, json]).toEqual([200, { input_tokens: expect.any(Number) }]);
      expect(stage.anthropic.seen).toHaveLength(seen);
    },
  );
});

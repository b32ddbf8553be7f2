import { cached, cacheStatus } from '../../support/calls/cached-calls.js';
import { readBooks, expectBalanced } from '../../support/money/count-the-money.js';
import { OPENAI_MODEL, startEmbeddingsStage, type EmbeddingsStage } from '../../support/calls/embeddings-stage.js';

let stage: EmbeddingsStage;
beforeAll(async () => {
  stage = await startEmbeddingsStage();
});
afterAll(() => stage.stop());
beforeEach(() => void stage.vendor.seen.splice(0));

const embed = (json: object, headers = cached()) =>
  stage.service.standard.post('/embeddings', { json: { model: OPENAI_MODEL, ...json }, headers });

describe('the response cache of embeddings', () => {
  it('serves a repeated input at no cost and in the requested encoding', async () => {
    const first = await embed({ input: ['one', 'two'] });
    const before = await readBooks(stage.service.sql);
    const second = await embed({ input: ['one', 'two'] });
    const base64 = await embed({ input: ['one', 'two'], encoding_format: 'base64' });

    expect([first, second, base64].map(cacheStatus)).toEqual(['MISS', 'HIT', 'HIT']);
    expect(stage.vendor.seen).toHaveLength(1);
    expect(second.json.data).toEqual(first.json.data);
    expect(second.json.id).not.toBe(first.json.id);
    expect(second.json.usage).toMatchObject({ prompt_tokens: 0, total_tokens: 0, cost: 0 });
    expect(typeof base64.json.data[0].embedding).toBe('string');
    const { data } = (await stage.service.management.get(`/generation?id=${second.json.id}`)).json;
    expect(data).toMatchObject({
      total_cost: 0,
      api_type: 'embeddings',
      model: OPENAI_MODEL,
      response_cache_source_id: first.json.id,
    });
    expect(await readBooks(stage.service.sql)).toEqual(before);
    expectBalanced(before);
  });

  it.each([
    ['another text', { input: ['one', 'three'] }],
    ['another order', { input: ['two', 'one'] }],
    ['other dimensions', { dimensions: 2 }],
    ['provider preferences', { provider: { only: ['openai'] } }],
  ])('does not serve a request with %s', async (_, change) => {
    await embed({ input: ['one', 'two'] });
    expect(cacheStatus(await embed({ input: ['one', 'two'], ...change }))).toBe('MISS');
  });

  it('shares one vendor call among equal simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => embed({ input: 'shared' })));
    expect(stage.vendor.seen).toHaveLength(1);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(50);
    expect(answers.filter((answer) => cacheStatus(answer) === 'MISS')).toHaveLength(1);
    expectBalanced(await readBooks(stage.service.sql));
  });

  it('refuses a TTL outside the allowed bounds', async () => {
    const answer = await embed({ input: 'x' }, cached({ 'x-openrouter-cache-ttl': '86401' }));
    expect([answer.status, stage.vendor.seen.length]).toEqual([400, 0]);
  });
});

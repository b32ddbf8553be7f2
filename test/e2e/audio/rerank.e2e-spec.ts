import { makeKey } from '../../support/api/api-builders.js';
import { LEXICAL, RERANK_PRO, startAudioStage, type AudioStage } from '../../support/calls/audio-stage.js';

const usd = (nano: bigint): number => Number(nano) / 1e9;
const SEARCH_UNIT = 2_500_000n;
const DOCUMENTS = ['A ship at sea', 'Two red kites over a field', { text: 'Red paint' }];

let stage: AudioStage;
beforeAll(async () => (stage = await startAudioStage()));
afterAll(() => stage.stop());

const post = (json: object, key?: string) =>
  (key === undefined ? stage.service.standard : stage.service.as(key)).post('/rerank', {
    json: { model: RERANK_PRO, query: 'red kites', documents: DOCUMENTS, ...json },
  });

describe('POST /rerank', () => {
  it('ranks with the built-in model, the most similar document first', async () => {
    const { status, json } = await post({ model: LEXICAL });
    expect(status).toBe(200);
    expect(json.results.map(({ index }: { index: number }) => index)).toEqual([1, 2, 0]);
    expect(json.results[0].document).toEqual({ text: 'Two red kites over a field' });
    expect(json.results[1].document).toEqual({ text: 'Red paint' });
    expect(json).toMatchObject({ model: LEXICAL, provider: 'Gatehouse built-in', id: expect.stringMatching(/^gen-/) });
    expect(json.usage).toEqual({ cost: 0, total_tokens: expect.any(Number) });
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 3],
  ])('with top_n %i returns %i results for three documents', async (topN, count) => {
    for (const model of [LEXICAL, RERANK_PRO])
      expect((await post({ model, top_n: topN })).json.results).toHaveLength(count);
  });

  it("sends the texts to the vendor, and returns the vendor's ranking with the documents", async () => {
    const { json } = await post({ top_n: 2, user: 'end-user-1', provider: { only: ['cohere'] } });
    const { path, headers, json: sent } = stage.vendor.seen.at(-1)!;
    expect([path, headers.authorization]).toEqual(['/v1/rerank', 'Bearer credential-of-cohere']);
    expect(sent).toEqual({
      model: 'rerank-v4.0-pro',
      query: 'red kites',
      documents: ['A ship at sea', 'Two red kites over a field', 'Red paint'],
      top_n: 2,
    });
    expect(json.results).toEqual([
      { index: 2, relevance_score: 0.75, document: { text: 'Red paint' } },
      { index: 1, relevance_score: 0.5, document: { text: 'Two red kites over a field' } },
    ]);
  });

  it.each([
    ['no documents', { documents: [] }],
    ['too many documents', { documents: Array(10_001).fill('') }],
    ['a document that is a number', { documents: ['a', 1] }],
    ['a document that is null', { documents: [null] }],
    ['a document without text and image', { documents: [{}] }],
    ['a document with a text that is not a string', { documents: [{ text: 1 }] }],
    ['no query', { query: '' }],
    ['no result', { top_n: 0 }],
    ['half a result', { top_n: 1.5 }],
  ])('refuses %s', async (_, fields) => {
    for (const model of [LEXICAL, RERANK_PRO]) {
      const calls = stage.vendor.seen.length;
      expect((await post({ model, ...fields })).status).toBe(400);
      expect(stage.vendor.seen).toHaveLength(calls);
    }
  });

  it.each([
    ['documents with images', { documents: [{ image: 'https://pictures.example/kite.png' }] }],
    ['a text model', { model: 'builtin/eliza' }],
    ['an unknown model', { model: 'no/such' }],
    ['providers that the caller excludes', { provider: { ignore: ['cohere'] } }],
  ])('answers 404 for %s', async (_, fields) => {
    expect((await post(fields)).status).toBe(404);
  });

  it.each([
    ['no results', { results: [] }],
    ['a document that was not sent', { results: [{ index: 3, relevance_score: 1 }] }],
    ['a document twice', { results: [0, 0].map((index) => ({ index, relevance_score: 1 })) }],
    ['no score', { results: [{ index: 0, relevance_score: null }] }],
    ['no object', '[]'],
    ['no JSON', '{'],
  ])('answers 502 if the vendor sends %s, and bills nothing', async (_, body) => {
    stage.vendor.script({ body });
    expect(await stage.spentBy(async () => expect((await post({})).status).toBe(502))).toBe(0n);
  });
});

describe('the bill of a ranking', () => {
  it('is calculated from the search units that the vendor reports', async () => {
    stage.vendor.script({
      body: { id: 'r-1', results: [{ index: 0, relevance_score: 0.5 }], meta: { billed_units: { search_units: 2 } } },
    });
    const spent = await stage.spentBy(async () => {
      const { json } = await post({ documents: Array(150).fill('a'), session_id: 'session-1' });
      expect(json.usage).toEqual({ cost: 0.005, search_units: 2 });
      expect(await stage.recordOf(json.id)).toMatchObject({
        api_type: 'rerank',
        model: RERANK_PRO,
        total_cost: 0.005,
        session_id: 'session-1',
        upstream_id: 'r-1',
      });
      expect(await stage.anomaliesOf(json.id)).toEqual([]);
    });
    expect(spent).toBe(2n * SEARCH_UNIT);
  });

  it.each([
    ['100 documents, which are one unit', Array(100).fill('a'), 1n],
    ['101 documents, which are two units', Array(101).fill('a'), 2n],
    ['documents of 491 bytes, which are one chunk each with the query', Array(100).fill('a'.repeat(491)), 1n],
    ['documents of 492 bytes, which are two chunks each', Array(100).fill('a'.repeat(492)), 2n],
  ])('is reserved for %s: a limit of one nano-dollar less is a 402', async (_, documents, units) => {
    const worst = units * SEARCH_UNIT;
    const enough = await makeKey(stage.service.management, { limit: usd(worst) });
    expect((await post({ documents }, enough.key)).status).toBe(200);
    const short = await makeKey(stage.service.management, { limit: usd(worst - 1n) });
    expect((await post({ documents }, short.key)).status).toBe(402);
  });

  it.each([
    ['no search units', {}, 'usage_missing'],
    ['a text instead of a number', { search_units: '1' }, 'usage_invalid'],
    ['a negative number', { search_units: -1 }, 'usage_invalid'],
  ])('is calculated from counted tokens if the vendor reports %s', async (_, billed_units, anomaly) => {
    for (const [documents, units] of [
      [['a'], 1n],
      // For 492 bytes per document, two search units are reserved. The documents have far fewer tokens, so only one
      // search unit is billed.
      [Array(100).fill('a'.repeat(492)), 1n],
      // Each of these documents has 600 words and at least as many tokens, so it counts as two chunks.
      [Array(100).fill('a b '.repeat(300)), 2n],
    ] as const) {
      stage.vendor.script({ body: { results: [{ index: 0, relevance_score: 1 }], meta: { billed_units } } });
      const spent = await stage.spentBy(async () => {
        const { json } = await post({ documents });
        expect(await stage.anomaliesOf(json.id)).toEqual([anomaly]);
        expect(await stage.recordOf(json.id)).toMatchObject({ usage_estimated: true });
      });
      expect(spent).toBe(units * SEARCH_UNIT);
    }
  });
});

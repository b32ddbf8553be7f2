import { embed } from '@gatehouse/builtin-models';
import {
  BUILT_IN_MODEL,
  GOOGLE_MODEL,
  numbersOf,
  OPENAI_MODEL,
  PICTURE_MODEL,
  startEmbeddingsStage,
  type EmbeddingsStage,
} from '../../support/calls/embeddings-stage.js';

const TEXT_PART = { type: 'text', text: 'A red kite' };
const PICTURE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
const TEXTS = ['A red kite', 'Two red kites', 'é😀'];
/** The form, the input, and the number of its vectors. */
const FORMS: readonly (readonly [string, unknown, number])[] = [
  ['a string', 'A red kite', 1],
  ['one string in a list', ['A red kite'], 1],
  ['strings', TEXTS, 3],
  ['token ids', [9906, 0, 2_147_483_647], 1],
  ['lists of token ids', [[1, 2], [3]], 2],
  ['objects with text', [{ content: [TEXT_PART, { type: 'text', text: 'and more' }] }, { content: [TEXT_PART] }], 2],
];
const ENCODINGS = [undefined, null, 'float', 'base64'] as const;
/** The vectors that the scripted vendor returns, one for each input. */
const vendorVectors = (count: number): number[][] => Array.from({ length: count }, (_, index) => [index, 0.5, -1]);

describe('POST /embeddings', () => {
  let stage: EmbeddingsStage;
  beforeAll(async () => (stage = await startEmbeddingsStage()));
  afterAll(() => stage.stop());
  const post = (json: object) => stage.service.standard.post('/embeddings', { json });

  describe.each(FORMS)('accepts %s', (_, input, count) => {
    it.each(ENCODINGS)('with the encoding %s', async (encoding_format) => {
      for (const model of [OPENAI_MODEL, PICTURE_MODEL]) {
        const { status, json, headers } = await post({ model, input, encoding_format });
        expect(status).toBe(200);
        expect(json).toMatchObject({ object: 'list', model, id: headers.get('x-generation-id') });
        const isText = typeof json.data[0].embedding === 'string';
        expect(isText).toBe(encoding_format === 'base64');
        expect(json.data.map(({ embedding }: { embedding: string }) => numbersOf(embedding))).toEqual(
          vendorVectors(count),
        );
        expect(json.data.map(({ index, object }: { index: number; object: string }) => [index, object])).toEqual(
          vendorVectors(count).map((__, index) => [index, 'embedding']),
        );
        expect(stage.vendor.seen.at(-1)!.json.input).toEqual(input);
      }
      const { json } = await post({ model: BUILT_IN_MODEL, input, encoding_format });
      expect(json.data).toHaveLength(count);
      for (const { embedding } of json.data) expect(numbersOf(embedding)).toHaveLength(256);
    });
  });

  it.each(ENCODINGS)('converts the numbers that a package returns to the encoding %s', async (encoding) => {
    for (const [input, vectors] of [
      ['A red kite', [[0.25, -0.5]]],
      [TEXTS, [[0.25], [-0.5], [1e-7]]],
    ] as const) {
      stage.answerAsGoogle(vectors, typeof input === 'string', 7);
      const { json } = await post({
        model: GOOGLE_MODEL,
        input,
        encoding_format: encoding,
        dimensions: 2,
        input_type: 'search_query',
      });
      expect(json).toMatchObject({ provider: 'Google', usage: { prompt_tokens: 7, total_tokens: 7 } });
      const seen = json.data.map(({ embedding }: { embedding: string }) => numbersOf(embedding));
      const expected = encoding === 'base64' ? vectors.map((vector) => vector.map(Math.fround)) : vectors;
      expect(seen).toEqual(expected);
      const { json: sent } = stage.google.seen.at(-1)!;
      expect(sent.requests?.[0] ?? sent).toMatchObject({
        outputDimensionality: 2,
        taskType: 'RETRIEVAL_QUERY',
      });
    }
  });

  it('returns built-in vectors without loss as numbers and as base64', async () => {
    const request = { model: BUILT_IN_MODEL, input: TEXTS, dimensions: 64 };
    const expected = TEXTS.map((text) => [...embed(text, 64)]);
    for (const encoding_format of ['float', 'base64']) {
      const { json } = await post({ ...request, encoding_format });
      expect(json.data.map(({ embedding }: { embedding: string }) => numbersOf(embedding))).toEqual(expected);
    }
  });

  it('forwards pictures to models that accept pictures', async () => {
    const input = [{ content: [TEXT_PART, PICTURE] }, { content: [PICTURE] }];
    const { status } = await post({ model: PICTURE_MODEL, input });
    expect(status).toBe(200);
    expect(stage.vendor.seen.at(-1)!.json.input).toEqual(input);
  });

  it.each([
    ['pictures', OPENAI_MODEL, [PICTURE]],
    ['sound', PICTURE_MODEL, [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } }]],
    ['video', PICTURE_MODEL, [{ type: 'input_video', input_video: { data: 'https://videos.example/1' } }]],
    ['files', PICTURE_MODEL, [{ type: 'input_file', input_file: { data: 'data:application/pdf;base64,AAAA' } }]],
  ])('finds no endpoint for %s if the model does not accept such input', async (_, model, content) => {
    const { status, json } = await post({ model, input: [{ content }] });
    expect([status, json.error.metadata]).toEqual([
      404,
      { error_type: 'not_found', availability: { code: 'constraint_filtered', retryable: false } },
    ]);
  });

  it('forwards dimensions, the input type and a hash of the end user, but not session, trace or provider', async () => {
    await post({
      model: OPENAI_MODEL,
      input: 'a',
      dimensions: 3,
      input_type: 'query',
      user: 'end-user-1',
      session_id: 's',
      trace: { trace_id: 't' },
      provider: { only: ['openai'] },
      models: ['openai/text-embedding-3-large'],
    });
    const { json, headers } = stage.vendor.seen.at(-1)!;
    expect(json).toEqual({
      model: 'text-embedding-3-small',
      input: 'a',
      encoding_format: 'base64',
      dimensions: 3,
      input_type: 'query',
      user: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(headers.authorization).toBe('Bearer sk-scripted-vendor-credential');
  });

  it('tries no other model after a failure, because vectors of different models cannot be compared', async () => {
    stage.vendor.script({ status: 500 });
    const before = stage.vendor.seen.length;
    const { status, json } = await post({ model: OPENAI_MODEL, input: 'a', models: [BUILT_IN_MODEL] });
    expect([status, json.error.metadata.error_type]).toEqual([502, 'provider_unavailable']);
    expect(stage.vendor.seen).toHaveLength(before + 1);
  });

  it.each([
    ['an unknown model', { model: 'nobody/nothing' }, 'model_not_found'],
    ['a model of another kind', { model: 'builtin/eliza' }, 'wrong_endpoint'],
    ['a provider without a credential', { model: OPENAI_MODEL, provider: { only: ['azure'] } }, 'no_endpoints'],
    ['no provider left', { model: OPENAI_MODEL, provider: { ignore: ['openai', 'azure'] } }, 'constraint_filtered'],
    [
      'prices above the limit',
      { model: OPENAI_MODEL, provider: { max_price: { prompt: 0.019 } } },
      'constraint_filtered',
    ],
    [
      'a parameter that no endpoint takes',
      { model: PICTURE_MODEL, dimensions: 2, provider: { require_parameters: true } },
      'constraint_filtered',
    ],
  ])('responds with 404 for %s', async (_, members, code) => {
    const { status, json } = await post({ input: 'a', ...members });
    expect([status, json.error.metadata.availability.code]).toEqual([404, code]);
  });

  it('returns 401 for a management key and for a request without a key', async () => {
    const request = { json: { model: BUILT_IN_MODEL, input: 'a' } };
    expect((await stage.service.management.post('/embeddings', request)).status).toBe(401);
    const { status, json } = await stage.service.as().post('/embeddings', request);
    expect([status, json.error.metadata.error_type]).toEqual([401, 'authentication']);
  });
});

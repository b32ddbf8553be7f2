import { settledSpend } from '../../support/money/account-totals.js';
import {
  BUILT_IN_MODEL,
  GOOGLE_MODEL,
  OPENAI_MODEL,
  PICTURE_MODEL,
  startEmbeddingsStage,
  type EmbeddingsStage,
} from '../../support/calls/embeddings-stage.js';

const LIMIT_BYTES = 4_194_304;
const USAGE = { prompt_tokens: 3, total_tokens: 3 };
const base64Of = (...numbers: readonly number[]): string =>
  Buffer.from(new Float32Array(numbers).buffer).toString('base64');
const listOf = (...embeddings: readonly unknown[]): object => ({
  object: 'list',
  data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  usage: USAGE,
});

let stage: EmbeddingsStage;
beforeAll(async () => (stage = await startEmbeddingsStage({ CHAT_BODY_LIMIT_BYTES: String(LIMIT_BYTES) })));
afterAll(() => stage.stop());
const post = (json: unknown) => stage.service.standard.post('/embeddings', { json });

describe('hostile requests to /embeddings', () => {
  const members: readonly (readonly [string, unknown])[] = [
    ['input', undefined],
    ...[null, '', [], {}, 0, true, [''], [[]], [null], [{}], ['a', 1], [1, 'a'], [[1], 'a'], [-1], [1.5], [1e300]].map(
      (input) => ['input', input] as const,
    ),
    ['input', Array(2_049).fill('a')],
    ['input', Array.from({ length: 2_049 }, () => [1])],
    ['input', [{ content: [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }] }]],
    ['input', [{ content: [{ type: 'text', text: ['a'] }] }]],
    ...[undefined, null, '', 7, {}, ['a/b']].map((model) => ['model', model] as const),
    ...[0, -1, 1.5, 'NaN', '3', [], {}, true, 257].map((dimensions) => ['dimensions', dimensions] as const),
    ...['Base64', 'int8', '', 1, {}, ['float']].map((encoding) => ['encoding_format', encoding] as const),
    ...[1, {}, 'x'.repeat(257)].map((type) => ['input_type', type] as const),
    ...['openai', 1, { order: 7 }, { max_price: { prompt: 'much' } }, { sort: 'random' }].map(
      (provider) => ['provider', provider] as const,
    ),
    ...[1, {}, 'x'.repeat(257)].map((session) => ['session_id', session] as const),
    ...['', 1, 'x'.repeat(257)].map((user) => ['user', user] as const),
    ['trace', 'a'],
  ];

  it.each(members.map(([name, value]) => [name, JSON.stringify(value)?.slice(0, 60) ?? 'absent', value] as const))(
    'are refused with 400 if %s is %s',
    async (name, _, value) => {
      const { status, json } = await post({ model: BUILT_IN_MODEL, input: 'a', [name]: value });
      expect([status, json.error.metadata.error_type]).toEqual([400, 'invalid_request']);
      expect(json.error.message).toMatch(new RegExp(name));
    },
  );

  it.each(['NaN', '{"model":"a/b","input":"a","dimensions":NaN}', '{"input":[1,]}', '[]', '"a"', '{"a":'])(
    'are refused with 400 if the body is %s',
    async (body) => {
      const request = { body, headers: { 'content-type': 'application/json' } };
      const { status, json } = await stage.service.standard.post('/embeddings', request);
      expect([status, json.error.metadata.error_type]).toEqual([400, 'invalid_request']);
    },
  );

  it('are refused with 400 if the body has more values than the limit', async () => {
    expect((await post({ model: BUILT_IN_MODEL, input: Array(200_001).fill(1) })).status).toBe(400);
  });

  it('are refused with 413 only if the body exceeds the limit of text routes', async () => {
    const sized = (bytes: number): object => {
      const rest = JSON.stringify({ model: BUILT_IN_MODEL, input: '' }).length;
      return { model: BUILT_IN_MODEL, input: 'a'.repeat(bytes - rest) };
    };
    expect((await post(sized(LIMIT_BYTES))).status).toBe(200);
    const { status, json } = await post(sized(LIMIT_BYTES + 1));
    expect([status, json.error.metadata.error_type]).toEqual([413, 'payload_too_large']);
  });

  it.each([
    ['2,048 inputs', { input: Array(2_048).fill('a'), encoding_format: 'base64' }],
    ['lone surrogates and NUL', { input: ['\ud800', '\0', '\u2028'] }],
    ['unknown members', { input: 'a', constructor: 1, models: 7, stream: true, ['__proto__']: 1 }],
    [
      'null in every member that may be absent',
      {
        input: 'a',
        dimensions: null,
        encoding_format: null,
        input_type: null,
        provider: null,
        session_id: null,
        trace: null,
      },
    ],
  ])('are served if they have %s', async (_, members) => {
    const { status, json } = await post({ model: BUILT_IN_MODEL, ...members });
    expect(status).toBe(200);
    expect(json.data).toHaveLength(Array.isArray(members.input) ? members.input.length : 1);
  });

  it.each([
    ['token ids', [1, 2]],
    ['lists of token ids', [[1], [2]]],
  ])('are refused with 400 if they have %s for a vendor that accepts texts only', async (_, input) => {
    const { status, json } = await post({ model: GOOGLE_MODEL, input });
    expect([status, json.error.metadata.error_type]).toEqual([400, 'invalid_request']);
  });
});

describe('hostile responses of an embeddings vendor', () => {
  it.each<readonly [string, unknown]>([
    ['an empty body', ' '],
    ['no JSON', '<html>'],
    ['null', 'null'],
    ['a list', []],
    ['no data', { usage: USAGE }],
    ['data that is null', { data: null, usage: USAGE }],
    ['no vectors', listOf()],
    ['too few vectors', listOf([1])],
    ['too many vectors', listOf([1], [2], [3])],
    ['an entry that is null', { data: [null, { embedding: [1] }] }],
    ['a missing vector', { data: [{ index: 0, embedding: [1] }, { index: 1 }] }],
    ['an index twice', { data: [0, 0].map((index) => ({ index, embedding: [1] })) }],
    ['an index that is too large', { data: [0, 2].map((index) => ({ index, embedding: [1] })) }],
    ['an index that is text', { data: [0, '1'].map((index) => ({ index, embedding: [1] })) }],
    ['an empty vector', listOf([1], [])],
    ['vectors of different lengths', listOf([1, 2], [3])],
    ['null in a vector', listOf([1], [null])],
    ['NaN in a vector', '{"data":[{"embedding":[NaN]},{"embedding":[1]}]}'],
    ['infinity in a vector', '{"data":[{"embedding":[1e999]},{"embedding":[1]}]}'],
    ['a number above float32', listOf([1], [1e300])],
    ['a vector of texts', listOf([1], ['1'])],
    ['base64 of three bytes', listOf(base64Of(1), 'AAAA')],
    ['base64 of different lengths', listOf(base64Of(1), base64Of(1, 2))],
    ['text that is not base64', listOf(base64Of(1), '"}],"x":[{"')],
    ['NaN in base64', listOf(base64Of(1), base64Of(NaN))],
    ['an error in a 200', { error: { message: 'sk-secret', code: 500 } }],
  ])('are not billed and result in 502: %s', async (_, body) => {
    const before = await settledSpend(stage.service.sql);
    for (const model of [OPENAI_MODEL, PICTURE_MODEL]) {
      for (const encoding_format of ['float', 'base64']) {
        stage.vendor.script({ body });
        const { status, json } = await post({ model, input: ['a', 'b'], encoding_format });
        expect([status, json.error.metadata.error_type]).toEqual([502, 'provider_unavailable']);
        expect(json.error.message).not.toMatch(/sk-secret|html/);
      }
    }
    expect(await settledSpend(stage.service.sql)).toBe(before);
  });

  it.each<readonly [string, object]>([
    ['no vectors', { embeddings: [] }],
    ['too few vectors', { embeddings: [{ values: [1] }] }],
    ['vectors of different lengths', { embeddings: [{ values: [1] }, { values: [1, 2] }] }],
    ['an empty vector', { embeddings: [{ values: [1] }, { values: [] }] }],
    ['a vector of texts', { embeddings: [{ values: [1] }, { values: ['1'] }] }],
    ['no embeddings', {}],
  ])('are not billed and result in 502 through a package: %s', async (_, body) => {
    const before = await settledSpend(stage.service.sql);
    stage.google.reply((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const { status, json } = await post({ model: GOOGLE_MODEL, input: ['a', 'b'] });
    expect([status, json.error.metadata.error_type]).toEqual([502, 'provider_unavailable']);
    expect(await settledSpend(stage.service.sql)).toBe(before);
  });

  it.each([
    [400, 400, 'invalid_request'],
    [401, 502, 'provider_unavailable'],
    [404, 502, 'provider_unavailable'],
    [413, 413, 'payload_too_large'],
    [422, 400, 'invalid_request'],
    [429, 429, 'rate_limit_exceeded'],
    [500, 502, 'provider_unavailable'],
    [503, 529, 'provider_overloaded'],
  ])('with the status %i result in %i', async (vendorStatus, expected, type) => {
    stage.vendor.script({ status: vendorStatus, body: { error: { message: 'no', type: 'x' } } });
    const { status, json } = await post({ model: OPENAI_MODEL, input: 'a' });
    expect([status, json.error.metadata.error_type]).toEqual([expected, type]);
  });

  it('with vectors in the wrong order are sorted by index', async () => {
    const data = [1, 0].map((index) => ({ index, embedding: [index] }));
    stage.vendor.script({ body: { data, usage: USAGE } });
    const { json } = await post({ model: OPENAI_MODEL, input: ['a', 'b'] });
    expect(json.data.map(({ index, embedding }: { index: number; embedding: number[] }) => [index, embedding])).toEqual(
      [
        [0, [0]],
        [1, [1]],
      ],
    );
  });
});

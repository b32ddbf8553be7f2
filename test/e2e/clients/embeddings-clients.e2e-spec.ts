import { OpenAIEmbeddings } from '@langchain/openai';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { OpenRouter } from '@openrouter/sdk';
import * as errors from '@openrouter/sdk/models/errors';
import type { CreateEmbeddingsRequestBody, CreateEmbeddingsResponseBody } from '@openrouter/sdk/models/operations';
import { embed, embedMany } from 'ai';
import OpenAI from 'openai';
import { makeKey } from '../../support/api/api-builders.js';
import {
  BUILT_IN_MODEL,
  GOOGLE_MODEL,
  numbersOf,
  OPENAI_MODEL,
  PICTURE_MODEL,
  startEmbeddingsStage,
  type EmbeddingsStage,
} from '../../support/calls/embeddings-stage.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY } from '../../support/services/test-service.js';
import { clearCredentialRests } from '../../support/calls/end-rests.js';

const MODELS = [BUILT_IN_MODEL, OPENAI_MODEL, PICTURE_MODEL, GOOGLE_MODEL];
const ENCODINGS = [undefined, 'float', 'base64'] as const;
/** Forms of input, with the number of vectors for each. */
const TEXT_FORMS = [
  ['a string', 'A red kite', 1],
  ['strings', ['A red kite', 'Two red kites'], 2],
] as const;
const ID_FORMS = [
  ['token ids', [1, 2, 3], 1],
  ['lists of token ids', [[1, 2], [3]], 2],
] as const;
const MULTIMODAL: CreateEmbeddingsRequestBody['input'] = [
  {
    content: [
      { type: 'text', text: 'A red kite' },
      { type: 'image_url', imageUrl: { url: 'https://pictures.example/kite.png' } },
    ],
  },
];

let stage: EmbeddingsStage;
beforeAll(async () => (stage = await startEmbeddingsStage()));
beforeEach(() => clearCredentialRests(stage.service));
afterAll(() => stage.stop());

/** Every form with each model that accepts it. */
const CASES = MODELS.flatMap((model) =>
  [...TEXT_FORMS, ...(model === GOOGLE_MODEL ? [] : ID_FORMS)].flatMap(([form, input, count]) =>
    ENCODINGS.map((encoding) => [form, model, encoding, input, count] as const),
  ),
);

function expectVectors(embeddings: readonly (number[] | string)[], model: string, count: number): void {
  expect(embeddings).toHaveLength(count);
  const vectors = embeddings.map(numbersOf);
  for (const [index, vector] of vectors.entries()) {
    if (model === BUILT_IN_MODEL) expect(vector).toHaveLength(256);
    else if (model === GOOGLE_MODEL) expect(vector).toEqual([index, 0.25]);
    else expect(vector).toEqual([index, 0.5, -1]);
  }
}

const prepare = (model: string, input: unknown, count: number): void => {
  const vectors = Array.from({ length: count }, (_, index) => [index, 0.25]);
  if (model === GOOGLE_MODEL) stage.answerAsGoogle(vectors, typeof input === 'string', 11);
};

describe('openai', () => {
  const client = (apiKey = TEST_API_KEY): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${stage.service.origin}/api/v1`, maxRetries: 0 });

  // By default, this client requests base64 and decodes it.
  it.each(CASES)('gets vectors for %s from %s with the encoding %s', async (_, model, encoding, input, count) => {
    prepare(model, input, count);
    const answer = await client().embeddings.create({ model, input: input as string, encoding_format: encoding });
    expect(answer).toMatchObject({ object: 'list', model });
    expect(answer.usage.total_tokens).toBe(answer.usage.prompt_tokens);
    const embeddings = answer.data.map(({ embedding }) => embedding);
    expect(typeof embeddings[0]).toBe(encoding === 'base64' ? 'string' : 'object');
    expectVectors(embeddings, model, count);
  });

  it('gets vectors with fewer dimensions', async () => {
    const answer = await client().embeddings.create({ model: BUILT_IN_MODEL, input: 'a', dimensions: 8, user: 'u' });
    expect(answer.data[0]!.embedding).toHaveLength(8);
  });

  it('throws its own error class for each status', async () => {
    const request = { model: OPENAI_MODEL, input: 'a' };
    const poor = await makeKey(stage.service.management, { limit: 1e-9 });
    stage.vendor.script({ status: 429 }, { status: 500 });
    const failures = [
      [400, OpenAI.BadRequestError, client().embeddings.create({ ...request, input: [] })],
      [401, OpenAI.AuthenticationError, client('wrong').embeddings.create(request)],
      [401, OpenAI.AuthenticationError, client(TEST_MANAGEMENT_KEY).embeddings.create(request)],
      [402, OpenAI.APIError, client(poor.key).embeddings.create(request)],
      [404, OpenAI.NotFoundError, client().embeddings.create({ ...request, model: 'no/such' })],
    ] as const;
    for (const [status, type, call] of failures) {
      const thrown = await call.then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(type);
      expect(thrown).toMatchObject({ status });
    }
    await expect(client().embeddings.create(request)).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(client().embeddings.create(request)).rejects.toBeInstanceOf(OpenAI.InternalServerError);
  });
});

describe('@openrouter/sdk', () => {
  const client = (apiKey = TEST_API_KEY): OpenRouter =>
    new OpenRouter({ apiKey, serverURL: `${stage.service.origin}/api/v1`, retryConfig: { strategy: 'none' } });
  const generate = async (
    requestBody: CreateEmbeddingsRequestBody,
    key?: string,
  ): Promise<CreateEmbeddingsResponseBody> => {
    const answer = await client(key).embeddings.generate({ requestBody });
    if (typeof answer === 'string') throw new Error('a text came');
    return answer;
  };

  it.each(CASES)('gets vectors for %s from %s with the encoding %s', async (_, model, encodingFormat, input, count) => {
    prepare(model, input, count);
    const answer = await generate({ model, input: input as string, encodingFormat });
    expect(answer).toMatchObject({ object: 'list', model, id: expect.stringMatching(/^gen-/) });
    expect(answer.usage).toMatchObject({ isByok: false, costDetails: { upstreamInferenceCost: null } });
    const embeddings = answer.data.map(({ embedding }) => embedding);
    expect(typeof embeddings[0]).toBe(encodingFormat === 'base64' ? 'string' : 'object');
    expectVectors(embeddings, model, count);
  });

  it('sends pictures, preferences, a session and a trace', async () => {
    const answer = await generate({
      model: PICTURE_MODEL,
      input: MULTIMODAL,
      inputType: 'search_query',
      provider: { only: ['togetherai'], maxPrice: { prompt: '1' } },
      sessionId: 'session-1',
      trace: { traceId: 'trace-1' },
      user: 'end-user-1',
    });
    expect(answer.usage!.cost).toBe(0.000001375);
    const { data } = await client().generations.getGeneration({ id: answer.id! });
    expect(data).toMatchObject({ apiType: 'embeddings', sessionId: 'session-1', externalUser: 'end-user-1' });
  });

  it('lists the models', async () => {
    const ids: string[] = [];
    for await (const page of await client().embeddings.listModels({}))
      ids.push(...page.result.data.map(({ id }) => id));
    expect(ids).toEqual(expect.arrayContaining(MODELS));
  });

  it('throws its own error class for each status', async () => {
    const request = { model: OPENAI_MODEL, input: 'a' };
    const poor = await makeKey(stage.service.management, { limit: 1e-9 });
    const status = (code: number, key?: string): Promise<unknown> => {
      stage.vendor.script({ status: code });
      return generate(request, key);
    };
    await expect(generate({ ...request, input: [] })).rejects.toBeInstanceOf(errors.BadRequestResponseError);
    await expect(generate(request, 'wrong')).rejects.toBeInstanceOf(errors.UnauthorizedResponseError);
    await expect(generate(request, poor.key)).rejects.toBeInstanceOf(errors.PaymentRequiredResponseError);
    await expect(generate({ ...request, model: 'no/such' })).rejects.toBeInstanceOf(errors.NotFoundResponseError);
    await expect(status(413)).rejects.toBeInstanceOf(errors.PayloadTooLargeResponseError);
    await expect(status(429)).rejects.toBeInstanceOf(errors.TooManyRequestsResponseError);
    await expect(status(500)).rejects.toBeInstanceOf(errors.BadGatewayResponseError);
    await expect(status(529)).rejects.toBeInstanceOf(errors.ProviderOverloadedResponseError);
    await expect(status(524)).rejects.toBeInstanceOf(errors.EdgeNetworkTimeoutResponseError);
  });
});

describe('ai with @openrouter/ai-sdk-provider', () => {
  const modelOf = (model: string, apiKey = TEST_API_KEY) =>
    createOpenRouter({ apiKey, baseURL: `${stage.service.origin}/api/v1` }).textEmbeddingModel(model);

  it.each(MODELS)('gets vectors from %s', async (id) => {
    prepare(id, ['a', 'b'], 2);
    const { embeddings, usage, providerMetadata } = await embedMany({ model: modelOf(id), values: ['a', 'b'] });
    expectVectors(embeddings, id, 2);
    expect(usage.tokens).toBeGreaterThan(0);
    expect(providerMetadata).toMatchObject({ openrouter: { usage: { cost: expect.any(Number) } } });
  });

  it('reports the status of a failure', async () => {
    stage.vendor.script({ status: 429, headers: { 'retry-after': '7' } });
    const call = (id: string, key?: string) => embed({ model: modelOf(id, key), value: 'a', maxRetries: 0 });
    await expect(call(OPENAI_MODEL)).rejects.toMatchObject({
      statusCode: 429,
      responseHeaders: { 'retry-after': '7' },
    });
    await expect(call('no/such')).rejects.toMatchObject({ name: 'AI_APICallError', statusCode: 404 });
    await expect(call(OPENAI_MODEL, 'wrong')).rejects.toMatchObject({ name: 'AI_APICallError', statusCode: 401 });
  });
});

describe('@langchain/openai', () => {
  const model = (id: string, encodingFormat?: 'float' | 'base64', apiKey = TEST_API_KEY): OpenAIEmbeddings =>
    new OpenAIEmbeddings({
      model: id,
      apiKey,
      encodingFormat,
      maxRetries: 0,
      configuration: { baseURL: `${stage.service.origin}/api/v1` },
    });

  it.each(MODELS.flatMap((id) => [undefined, 'float' as const].map((encoding) => [id, encoding] as const)))(
    'gets vectors from %s with the encoding %s',
    async (id, encoding) => {
      prepare(id, ['a', 'b'], 2);
      expectVectors(await model(id, encoding).embedDocuments(['a', 'b']), id, 2);
    },
  );

  it('reports the status of a failure', async () => {
    await expect(model('no/such').embedQuery('a')).rejects.toMatchObject({ status: 404 });
    await expect(model(OPENAI_MODEL, 'float', 'wrong').embedQuery('a')).rejects.toMatchObject({ status: 401 });
  });
});

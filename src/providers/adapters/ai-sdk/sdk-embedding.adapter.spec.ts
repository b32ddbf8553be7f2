import { SecretValue } from '../../../kernel/secret-value.js';
import { startScriptedTextVendor } from '../../../../test/support/vendors/scripted-text-vendor.js';
import type { EmbeddingCall } from '../../ports/embedding-adapter.port.js';

const KEY = new SecretValue('key');
const BEDROCK_KEY = new SecretValue(JSON.stringify({ region: 'us-east-1', apiKey: 'k' }));
const aCall = (fields: Partial<EmbeddingCall>): EmbeddingCall => ({
  provider: 'some-vendor',
  upstreamModel: 'embed-1',
  credential: KEY,
  options: {},
  signal: new AbortController().signal,
  inputs: ['a', 'b'],
  isSingle: false,
  ...fields,
});
const vectors = [
  [1, 2],
  [3, 4],
];
const openAi = {
  object: 'list',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  usage: { prompt_tokens: 4, total_tokens: 4 },
};
const usage = { prompt_tokens: 4, total_tokens: 4 };

describe('embeddings through the vendors’ packages', () => {
  let vendor: Awaited<ReturnType<typeof startScriptedTextVendor>>;
  beforeAll(async () => {
    vendor = await startScriptedTextVendor();
  });
  afterAll(() => vendor.close());
  const respond = (json: object): void =>
    vendor.reply((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    });

  it.each([
    [
      '@ai-sdk/google',
      { embeddings: vectors.map((values) => ({ values })), usageMetadata: { promptTokenCount: 4 } },
      { requests: [{ outputDimensionality: 2, taskType: 'RETRIEVAL_QUERY' }, {}] },
    ],
    ['@ai-sdk/mistral', openAi, { input: ['a', 'b'], output_dimension: 2 }],
    [
      '@ai-sdk/cohere',
      { id: 'x', embeddings: { float: vectors }, meta: { billed_units: { input_tokens: 4 } } },
      { texts: ['a', 'b'], input_type: 'search_query' },
    ],
    ['@ai-sdk/azure', openAi, { input: ['a', 'b'], dimensions: 2 }],
  ])('have vectors in the order of the inputs, and the usage (%s)', async (name, json, sent) => {
    respond(json);
    const dimensions = name === '@ai-sdk/cohere' ? undefined : 2;
    const response = await vendor.embeddings.embed(aCall({ package: name, dimensions, inputType: 'query' }));
    expect(response).toEqual({ vectors, usage });
    expect(vendor.seen.at(-1)!.json).toMatchObject(sent);
  });

  it('are requested one after the other if the vendor accepts only one input per request', async () => {
    respond({ embedding: [1, 2], inputTextTokenCount: 1 });
    respond({ embedding: [3, 4], inputTextTokenCount: 3 });
    const call = aCall({
      package: '@ai-sdk/amazon-bedrock',
      upstreamModel: 'amazon.titan-embed-text-v2:0',
      credential: BEDROCK_KEY,
      dimensions: 256,
    });
    expect(await vendor.embeddings.embed(call)).toEqual({ vectors, usage });
    expect(vendor.seen.slice(-2).map(({ json }) => json)).toEqual([
      { inputText: 'a', dimensions: 256 },
      { inputText: 'b', dimensions: 256 },
    ]);
    await expect(vendor.embeddings.embed({ ...call, inputs: Array(101).fill('a') })).rejects.toMatchObject({
      kind: 'invalid_request',
    });
  });

  it('have undefined usage if the vendor reports none, and fail if a vector is missing', async () => {
    respond({ embeddings: vectors.map((values) => ({ values })) });
    expect((await vendor.embeddings.embed(aCall({ package: '@ai-sdk/google' }))).usage).toBeUndefined();
    respond({ ...openAi, data: openAi.data.slice(1) });
    await expect(vendor.embeddings.embed(aCall({ package: '@ai-sdk/mistral' }))).rejects.toMatchObject({
      kind: 'provider_failed',
    });
  });

  it.each([[[[1, 2]]], [[[{ type: 'image', source: { url: 'https://x.example' } } as const]]]])(
    'are refused for inputs that are not text: %j',
    async (inputs) => {
      await expect(vendor.embeddings.embed(aCall({ package: '@ai-sdk/cohere', inputs }))).rejects.toMatchObject({
        kind: 'invalid_request',
      });
    },
  );

  it('fail with not_found for a package without embeddings', async () => {
    await expect(vendor.embeddings.embed(aCall({ package: '@ai-sdk/anthropic' }))).rejects.toMatchObject({
      kind: 'not_found',
    });
  });
});

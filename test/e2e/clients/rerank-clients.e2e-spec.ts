import { OpenRouter } from '@openrouter/sdk';
import * as errors from '@openrouter/sdk/models/errors';
import type { CreateRerankRequestBody, CreateRerankResponseBody } from '@openrouter/sdk/models/operations';
import { makeKey } from '../../support/api/api-builders.js';
import { LEXICAL, RERANK_PRO, startAudioStage, type AudioStage } from '../../support/calls/audio-stage.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const DOCUMENTS = ['A ship at sea', { text: 'Two red kites' }];

let stage: AudioStage;
beforeAll(async () => (stage = await startAudioStage()));
afterAll(() => stage.stop());

describe('@openrouter/sdk', () => {
  const client = (apiKey = TEST_API_KEY): OpenRouter =>
    new OpenRouter({ apiKey, serverURL: `${stage.service.origin}/api/v1`, retryConfig: { strategy: 'none' } });
  const rerank = async (
    fields: Partial<CreateRerankRequestBody> = {},
    key?: string,
  ): Promise<CreateRerankResponseBody> => {
    const answer = await client(key).rerank.rerank({
      requestBody: { model: RERANK_PRO, query: 'red kites', documents: DOCUMENTS, ...fields },
    });
    if (typeof answer === 'string') throw new Error('a text came');
    return answer;
  };

  it.each([LEXICAL, RERANK_PRO])('gets a ranking from %s', async (model) => {
    const answer = await rerank({ model, topN: 1, user: 'end-user-1', sessionId: 'session-1', provider: {} });
    expect(answer).toMatchObject({ model, id: expect.stringMatching(/^gen-/) });
    expect(answer.results).toEqual([
      { index: 1, relevanceScore: expect.any(Number), document: { text: 'Two red kites' } },
    ]);
    if (model === RERANK_PRO) expect(answer.usage).toEqual({ cost: 0.0025, searchUnits: 1 });
    const { data } = await client().generations.getGeneration({ id: answer.id! });
    expect(data).toMatchObject({ apiType: 'rerank', sessionId: 'session-1', externalUser: 'end-user-1' });
  });

  it('throws its own error class for each status', async () => {
    const poor = await makeKey(stage.service.management, { limit: 1e-9 });
    const status = (code: number): Promise<unknown> => {
      stage.vendor.script({ status: code });
      return rerank();
    };
    await expect(rerank({ documents: [] })).rejects.toBeInstanceOf(errors.BadRequestResponseError);
    await expect(rerank({}, 'wrong')).rejects.toBeInstanceOf(errors.UnauthorizedResponseError);
    await expect(rerank({}, poor.key)).rejects.toBeInstanceOf(errors.PaymentRequiredResponseError);
    await expect(rerank({ model: 'no/such' })).rejects.toBeInstanceOf(errors.NotFoundResponseError);
    await expect(status(429)).rejects.toBeInstanceOf(errors.TooManyRequestsResponseError);
    await expect(status(500)).rejects.toBeInstanceOf(errors.BadGatewayResponseError);
    await expect(status(529)).rejects.toBeInstanceOf(errors.ProviderOverloadedResponseError);
    await expect(status(524)).rejects.toBeInstanceOf(errors.EdgeNetworkTimeoutResponseError);
  });
});

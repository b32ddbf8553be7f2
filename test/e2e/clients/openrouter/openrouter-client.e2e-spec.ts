import { OpenRouter } from '@openrouter/sdk';
import * as errors from '@openrouter/sdk/models/errors';
import type { ImageGenerationRequest, ImageStreamingResponseData } from '@openrouter/sdk/models';
import { hashOfKey } from '../../../../src/auth/key-secret.js';
import { eventually } from '../../../support/eventually.js';
import { AUDIO, PIXEL, type ScriptedVendor, type VendorFault } from '../../../support/vendors/scripted-vendor.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY, type TestService } from '../../../support/services/test-service.js';
import { startClientStage } from '../../../support/vendors/vendor-stage.js';

const VENDOR_IMAGE: ImageGenerationRequest = {
  model: 'openai/gpt-image-1',
  prompt: 'A lighthouse',
  quality: 'low',
  size: '1024x1024',
};
const POSTER: ImageGenerationRequest = { model: 'builtin/poster', prompt: 'A lighthouse', size: '64x64', seed: 1 };

async function usageOf(stream: AsyncIterable<ImageStreamingResponseData>): Promise<unknown> {
  let usage: unknown;
  for await (const event of stream) if (event.type === 'image_generation.completed') usage = event.usage;
  return usage;
}

describe('@openrouter/sdk', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  let poor: TestService;
  beforeAll(async () => {
    ({ vendor, service, poor } = await startClientStage());
  });
  afterAll(async () => {
    await service.stop();
    await poor.stop();
  });

  const client = (apiKey = TEST_API_KEY, origin = service.origin): OpenRouter =>
    new OpenRouter({ apiKey, serverURL: `${origin}/api/v1`, retryConfig: { strategy: 'none' } });

  it('lists models of every kind', async () => {
    const ids: string[] = [];
    for await (const page of await client().models.list({ outputModalities: 'all', limit: 100 }))
      ids.push(...page.result.data.map((model) => model.id));
    expect(ids).toEqual(expect.arrayContaining(['openai/gpt-image-1', 'openai/tts-1', 'builtin/poster']));
  });

  it.each([
    ['the built-in model', POSTER],
    ['a vendor', VENDOR_IMAGE],
  ])('makes an image with %s', async (_, imageGenerationRequest) => {
    const answer = await client().images.generate({ imageGenerationRequest });
    if (!('data' in answer)) throw new Error('a stream came');
    expect(Buffer.from(answer.data[0]!.b64Json, 'base64').toString('latin1', 1, 4)).toBe('PNG');
    expect(answer.usage!.cost).toBeGreaterThan(0);
  });

  it.each([
    ['the built-in model', POSTER],
    ['a vendor', VENDOR_IMAGE],
  ])('streams an image from %s', async (_, request) => {
    const stream = await client().images.generate({ imageGenerationRequest: { ...request, stream: true } });
    if (!(Symbol.asyncIterator in stream)) throw new Error('no stream came');
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types.length).toBeGreaterThan(1);
    expect(types.at(-1)).toBe('image_generation.completed');
  });

  it.each([false, true])("makes an image on the caller's own credential, streamed: %p", async (stream) => {
    const made = await service.management.post('/byok', { json: { provider: 'openai', key: 'own-credential' } });
    // The service uses the credential only after its notification has arrived.
    await eventually(async () => {
      const answer = await client().images.generate({ imageGenerationRequest: { ...VENDOR_IMAGE, stream } });
      expect('data' in answer ? answer.usage : await usageOf(answer)).toMatchObject({
        cost: 0,
        isByok: true,
        costDetails: {
          upstreamInferenceCost: 0.01133,
          upstreamInferencePromptCost: 0.00045,
          upstreamInferenceCompletionsCost: 0.01088,
        },
      });
    });
    await service.management.delete(`/byok/${made.json.data.id}`);
  });

  it('reads the error of a stream that breaks off', async () => {
    vendor.script({ kind: 'body', body: `data: {"type":"image_generation.partial_image","b64_json":"${PIXEL}"}\n\n` });
    const stream = await client().images.generate({ imageGenerationRequest: { ...VENDOR_IMAGE, stream: true } });
    if (!(Symbol.asyncIterator in stream)) throw new Error('no stream came');
    const events = [];
    for await (const event of stream) events.push(event);
    expect(events.at(-1)).toEqual({
      type: 'error',
      error: { message: expect.any(String), code: '502', param: null, type: 'provider_failed' },
    });
  });

  it.each([
    ['the built-in model', 'builtin/flite'],
    ['a vendor', 'openai/tts-1'],
    ['a vendor that charges by tokens', 'openai/gpt-4o-mini-tts'],
  ])('makes speech with %s', async (_, model) => {
    const stream = await client().tts.createSpeech({
      speechRequest: { model, input: 'Hello', voice: 'alloy', responseFormat: 'pcm' },
    });
    const audio = Buffer.from(await new Response(stream).arrayBuffer());
    if (model.startsWith('openai/')) expect(audio.equals(AUDIO)).toBe(true);
    else expect(audio.length).toBeGreaterThan(1_000);
  });

  it('reads a key', async () => {
    const hash = hashOfKey(TEST_API_KEY);
    const key = await client(TEST_MANAGEMENT_KEY).apiKeys.get({ hash });
    expect(key.data).toMatchObject({ hash, disabled: false });
  });

  describe('throws its own error class', () => {
    const image = (request: Partial<ImageGenerationRequest>, fault?: VendorFault): Promise<unknown> => {
      if (fault) vendor.script(fault);
      return client().images.generate({ imageGenerationRequest: { ...VENDOR_IMAGE, ...request } });
    };
    const speech = (fields: object, fault?: VendorFault): Promise<unknown> => {
      if (fault) vendor.script(fault);
      return client().tts.createSpeech({
        speechRequest: { model: 'openai/tts-1', input: 'Hello', voice: 'alloy', ...fields },
      });
    };
    const status = (code: number): VendorFault => ({ kind: 'status', status: code });
    const unhealthy = (): Promise<unknown> =>
      client(TEST_API_KEY, poor.origin).tts.createSpeech({
        speechRequest: { model: 'openai/tts-1', input: 'Hi', voice: 'alloy' },
      });

    it.each<[number, new (...given: never[]) => errors.OpenRouterError, () => Promise<unknown>]>([
      [400, errors.BadRequestResponseError, () => image({ size: '640x480' })],
      [400, errors.BadRequestResponseError, () => speech({ voice: 'nobody' })],
      [
        401,
        errors.UnauthorizedResponseError,
        () => client('wrong-key').images.generate({ imageGenerationRequest: POSTER }),
      ],
      [
        402,
        errors.PaymentRequiredResponseError,
        () => client(TEST_API_KEY, poor.origin).images.generate({ imageGenerationRequest: POSTER }),
      ],
      [
        403,
        errors.ForbiddenResponseError,
        () => client(TEST_MANAGEMENT_KEY).images.generate({ imageGenerationRequest: POSTER }),
      ],
      [404, errors.NotFoundResponseError, () => image({ model: 'no/such' })],
      [404, errors.NotFoundResponseError, () => client(TEST_MANAGEMENT_KEY).apiKeys.get({ hash: '0'.repeat(64) })],
      [413, errors.PayloadTooLargeResponseError, () => image({}, status(413))],
      [429, errors.TooManyRequestsResponseError, () => image({}, status(429))],
      [429, errors.TooManyRequestsResponseError, () => speech({}, status(429))],
      [502, errors.BadGatewayResponseError, () => image({}, status(500))],
      [502, errors.BadGatewayResponseError, () => speech({}, { kind: 'reset' })],
      [404, errors.NotFoundResponseError, () => image({ model: 'black-forest-labs/flux-pro', size: undefined })],
      [503, errors.ServiceUnavailableResponseError, () => unhealthy().catch(unhealthy)],
      [524, errors.EdgeNetworkTimeoutResponseError, () => image({}, { kind: 'silence' })],
      [529, errors.ProviderOverloadedResponseError, () => speech({}, status(503))],
    ])('for status %i: %p', async (code, type, call) => {
      const thrown: unknown = await call().then(
        () => 'no error',
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(type);
      expect((thrown as errors.OpenRouterError).statusCode).toBe(code);
    });
  });

  it('gets exactly the pictures that the vendor returned', async () => {
    const answer = await client().images.generate({ imageGenerationRequest: { ...VENDOR_IMAGE, n: 2 } });
    expect('data' in answer && answer.data.map((image) => image.b64Json)).toEqual([PIXEL, PIXEL]);
  });
});

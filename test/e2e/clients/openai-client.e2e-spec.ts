import OpenAI from 'openai';
import { hashOfKey } from '../../../src/auth/key-secret.js';
import { AUDIO, PIXEL, type ScriptedVendor, type VendorFault } from '../../support/vendors/scripted-vendor.js';
import { TEST_API_KEY, TEST_MANAGEMENT_KEY, type TestService } from '../../support/services/test-service.js';
import { startClientStage } from '../../support/vendors/vendor-stage.js';

describe('openai', () => {
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

  const client = (apiKey = TEST_API_KEY, origin = service.origin): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${origin}/api/v1`, maxRetries: 0 });
  const IMAGE = { model: 'openai/gpt-image-1', prompt: 'A lighthouse', quality: 'low', size: '1024x1024' } as const;

  it('lists models of every kind', async () => {
    const listed = await client().models.list({ query: { output_modalities: 'all' } });
    expect(listed.data.map((model) => model.id)).toEqual(
      expect.arrayContaining(['openai/gpt-image-1', 'openai/gpt-4o-mini-tts', 'builtin/poster']),
    );
  });

  it.each([
    ['the built-in model', { model: 'builtin/poster', prompt: 'A lighthouse' }],
    ['a vendor', IMAGE],
  ])('makes an image with %s', async (_, request) => {
    const answer = await client().images.generate(request);
    expect(Buffer.from(answer.data![0]!.b64_json!, 'base64').toString('latin1', 1, 4)).toBe('PNG');
    expect(answer.usage).toMatchObject({ is_byok: false });
  });

  it.each([
    [{ quality: 'standard' }, { quality: 'medium' }],
    [{ quality: 'hd' }, { quality: 'high' }],
    [
      { quality: 'auto', size: 'auto' },
      { quality: 'auto', size: undefined },
    ],
    [
      { n: 2, response_format: 'b64_json', size: '1536x1024' },
      { n: 2, size: '1536x1024' },
    ],
    [
      {
        n: null,
        size: null,
        quality: null,
        response_format: null,
        stream: null,
        user: null,
        background: null,
        output_format: null,
        output_compression: null,
        style: 'vivid',
        moderation: 'low',
      },
      { n: 1, size: undefined, quality: undefined },
    ],
  ] as const)('sends %j to the vendor as %j', async (given, asked) => {
    await client().images.generate({
      model: 'openai/gpt-image-1',
      prompt: 'A lighthouse',
      ...given,
    } as OpenAI.ImageGenerateParams);
    const { json } = vendor.seen.at(-1)!;
    expect(Object.fromEntries(Object.keys(asked).map((name) => [name, json[name]]))).toEqual(asked);
  });

  it.each([
    ['the built-in model', { model: 'builtin/poster', prompt: 'A lighthouse', size: '256x256' }, 1],
    ['a vendor', IMAGE, 2],
  ])('streams an image from %s', async (_, request, previews) => {
    const types: string[] = [];
    for await (const event of await client().images.generate({ ...request, stream: true })) types.push(event.type);
    expect(types.length).toBeGreaterThan(previews);
    expect(types.at(-1)).toBe('image_generation.completed');
  });

  it.each([
    ['the built-in model', 'builtin/flite'],
    ['a vendor', 'openai/tts-1'],
    ['a vendor that charges by tokens', 'openai/gpt-4o-mini-tts'],
  ])('makes speech with %s', async (_, model) => {
    const answer = await client().audio.speech.create({
      model,
      input: 'Hello',
      voice: 'alloy',
      response_format: 'pcm',
    });
    const audio = Buffer.from(await answer.arrayBuffer());
    if (model.startsWith('openai/')) expect(audio.equals(AUDIO)).toBe(true);
    else expect(audio.length).toBeGreaterThan(1_000);
  });

  it('reads a key', async () => {
    const hash = hashOfKey(TEST_API_KEY);
    const answer = await client(TEST_MANAGEMENT_KEY).get<{ data: { hash: string } }>(`/keys/${hash}`, {});
    expect(answer.data.hash).toBe(hash);
  });

  it('throws its own error class for a stream that breaks off', async () => {
    vendor.script({ kind: 'body', body: `data: {"type":"image_generation.partial_image","b64_json":"${PIXEL}"}\n\n` });
    const read = async (): Promise<void> => {
      for await (const event of await client().images.generate({ ...IMAGE, stream: true }))
        expect(event.type).toBe('image_generation.partial_image');
    };
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError);
  });

  describe('throws its own error class', () => {
    const image = (request: object, fault?: VendorFault): Promise<unknown> => {
      if (fault) vendor.script(fault);
      return client().images.generate({ ...IMAGE, ...request });
    };
    const status = (code: number): VendorFault => ({ kind: 'status', status: code });
    const speech = (fault: VendorFault): Promise<unknown> => {
      vendor.script(fault);
      return client().audio.speech.create({ model: 'openai/tts-1', input: 'Hello', voice: 'alloy' });
    };

    const unhealthy = (): Promise<unknown> =>
      client(TEST_API_KEY, poor.origin).audio.speech.create({ model: 'openai/tts-1', input: 'Hi', voice: 'alloy' });

    it.each<[number, new (...given: never[]) => Error, () => Promise<unknown>]>([
      [400, OpenAI.BadRequestError, () => image({ response_format: 'gif' })],
      [400, OpenAI.BadRequestError, () => image({}, status(422))],
      [401, OpenAI.AuthenticationError, () => client('wrong-key').images.generate(IMAGE)],
      [402, OpenAI.APIError, () => client(TEST_API_KEY, poor.origin).images.generate(IMAGE)],
      [403, OpenAI.PermissionDeniedError, () => client(TEST_MANAGEMENT_KEY).images.generate(IMAGE)],
      [404, OpenAI.NotFoundError, () => image({ model: 'no/such' })],
      [413, OpenAI.APIError, () => image({}, status(413))],
      [429, OpenAI.RateLimitError, () => image({}, status(429))],
      [502, OpenAI.InternalServerError, () => image({}, status(500))],
      [502, OpenAI.InternalServerError, () => speech({ kind: 'reset' })],
      [404, OpenAI.NotFoundError, () => image({ model: 'black-forest-labs/flux-pro' })],
      [503, OpenAI.InternalServerError, () => unhealthy().catch(unhealthy)],
      [524, OpenAI.InternalServerError, () => speech({ kind: 'silence' })],
      [529, OpenAI.InternalServerError, () => speech(status(529))],
    ])('for status %i', async (code, type, call) => {
      const thrown: unknown = await call().then(
        () => 'no error',
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(type);
      expect(thrown).toMatchObject({ status: code, message: expect.stringMatching(/\w{3}/) as string });
    });
  });
});

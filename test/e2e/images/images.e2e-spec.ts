import sharp, { type Metadata } from 'sharp';
import { hostilePrompts } from '../../support/hostile/hostile-prompts.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const POSTER = { model: 'builtin/poster', prompt: 'A red kite above green hills', seed: 7 };

describe('POST /images', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  // oxlint-disable-next-line typescript/no-explicit-any
  const draw = async (fields: object): Promise<any> => {
    const answer = await service.standard.post('/images', { json: { ...POSTER, size: '64x64', ...fields } });
    expect([answer.status, answer.json?.error?.message]).toEqual([200, undefined]);
    return answer.json;
  };
  const decode = (b64: string): Promise<Metadata> => sharp(Buffer.from(b64, 'base64')).metadata();

  describe('returns images of the requested format, size and number', () => {
    it.each(['png', 'jpeg', 'webp'] as const)('as %s', async (output_format) => {
      const { data, created } = await draw({ output_format, size: '320x200' });
      expect(await decode(data[0].b64_json)).toMatchObject({ format: output_format, width: 320, height: 200 });
      expect(data[0].media_type).toBe(`image/${output_format}`);
      expect(Math.abs(created - Date.now() / 1000)).toBeLessThan(60);
    });

    it('as svg: UTF-8 markup in base64', async () => {
      const { data } = await draw({ output_format: 'svg' });
      expect(Buffer.from(data[0].b64_json, 'base64').toString('utf8')).toMatch(/^<\?xml|^<svg/);
    });

    it.each([
      [{ size: '512' }, 512, 512],
      [{ size: undefined, resolution: '512', aspect_ratio: '2:1' }, 720, 360],
      [{ size: '512', aspect_ratio: '1:2' }, 360, 720],
      [{ size: '64x64' }, 64, 64],
      [{ size: '100x64', aspect_ratio: 'auto' }, 100, 64],
    ])('for %j: %i by %i pixels', async (fields, width, height) => {
      const { data } = await draw(fields);
      expect(await decode(data[0].b64_json)).toMatchObject({ width, height });
    });

    it('as n different images, with identical bytes for the same seed', async () => {
      const first = await draw({ n: 3 });
      const again = await draw({ n: 3 });
      expect(first.data).toHaveLength(3);
      expect(new Set(first.data.map((image: { b64_json: string }) => image.b64_json)).size).toBe(3);
      expect(again.data).toEqual(first.data);
      expect((await draw({ seed: 8 })).data[0]).not.toEqual(first.data[0]);
    });

    it('with alpha if the background is transparent', async () => {
      const { data } = await draw({ background: 'transparent', output_format: 'webp' });
      expect((await decode(data[0].b64_json)).hasAlpha).toBe(true);
    });

    it('with data-URL references as layers', async () => {
      const layer = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#f00' } })
        .png()
        .toBuffer();
      const withLayer = await draw({
        input_references: [
          { type: 'image_url', image_url: { url: `data:image/png;base64,${layer.toString('base64')}` } },
        ],
      });
      expect(withLayer.data[0]).not.toEqual((await draw({})).data[0]);
    });
  });

  describe('refuses with 400 and the name of the field', () => {
    it.each([
      [{ model: undefined }, 'model'],
      [{ model: 7 }, 'model'],
      [{ prompt: '' }, 'prompt'],
      [{ prompt: undefined }, 'prompt'],
      [{ prompt: ['x'] }, 'prompt'],
      [{ aspect_ratio: '5:3' }, 'aspect_ratio'],
      [{ background: 'clear' }, 'background'],
      [{ background: 'transparent', output_format: 'jpeg' }, 'background'],
      [{ background: 'transparent', output_format: 'svg' }, 'background'],
      [{ input_references: 'x' }, 'input_references'],
      [
        {
          input_references: Array.from({ length: 17 }, () => ({
            type: 'image_url',
            image_url: { url: 'data:image/png;base64,AAAA' },
          })),
        },
        'input_references',
      ],
      [{ input_references: [{ type: 'text', text: 'x' }] }, 'input_references'],
      [{ input_references: [{ type: 'image_url' }] }, 'input_references'],
      [
        { input_references: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,!!!!' } }] },
        'input_references[0]',
      ],
      [
        { input_references: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
        'input_references[0]',
      ],
      [{ n: 0 }, 'n '],
      [{ n: 11 }, 'n '],
      [{ n: 1.5 }, 'n '],
      [{ n: '2' }, 'n '],
      [{ n: null }, 'n '],
      [{ output_compression: -1 }, 'output_compression'],
      [{ output_compression: 101 }, 'output_compression'],
      [{ output_format: 'gif' }, 'output_format'],
      [{ provider: 'builtin' }, 'provider'],
      [{ provider: [] }, 'provider'],
      [{ quality: 'ultra' }, 'quality'],
      [{ resolution: '8K' }, 'resolution'],
      [{ resolution: 512 }, 'resolution'],
      [{ seed: 'x' }, 'seed'],
      [{ seed: 1.5 }, 'seed'],
      [{ size: '63x64' }, 'size'],
      [{ size: '64x4097' }, 'size'],
      [{ size: 'big' }, 'size'],
      [{ size: '1024x1024', resolution: '2K' }, 'size'],
      [{ size: '1024x1024', aspect_ratio: '16:9' }, 'size'],
      [{ size: '2K', resolution: '1K' }, 'size'],
      [{ stream: 'yes' }, 'stream'],
    ])('%j', async (fields, named) => {
      const answer = await service.standard.post('/images', { json: { ...POSTER, ...fields } });
      expect(answer.status).toBe(400);
      expect(answer.json.error.message).toContain(named);
    });
  });

  it.each(['no/such-model', 'builtin/flite', 'poster'])('returns 404 for the model %s', async (model) => {
    expect((await service.standard.post('/images', { json: { ...POSTER, model } })).status).toBe(404);
  });

  it('accepts the minimum and maximum of n and output_compression, and ignores unknown fields', async () => {
    await draw({ n: 10, output_format: 'jpeg', output_compression: 0 });
    await draw({
      n: 1,
      output_format: 'png',
      output_compression: 100,
      quality: 'low',
      moderation: 'auto',
      response_format: 'b64_json',
    });
  });

  it('reports the usage of all images in the last completed event of a stream only', async () => {
    const answer = await service.standard.post('/images', { json: { ...POSTER, size: '64x64', n: 3, stream: true } });
    const events = answer.text
      .split('\n\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)) as { type: string; usage?: { cost: number } });
    const completed = events.filter(({ type }) => type === 'image_generation.completed');
    expect(completed.map(({ usage }) => usage?.cost)).toEqual([undefined, undefined, 0.0003]);
    expect(completed.map((event) => Object.keys(event))).toEqual([
      ['type', 'b64_json', 'media_type', 'created'],
      ['type', 'b64_json', 'media_type', 'created'],
      ['type', 'b64_json', 'media_type', 'created', 'usage'],
    ]);
    expect(events.filter(({ usage }) => usage)).toHaveLength(1);
  });

  it('streams previews, then one completed event with usage, then [DONE]', async () => {
    const answer = await service.standard.post('/images', { json: { ...POSTER, size: '256x256', stream: true } });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const lines = answer.text
      .split('\n\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => line.slice(6));
    expect(lines.at(-1)).toBe('[DONE]');
    const events = lines.slice(0, -1).map((line) => JSON.parse(line));
    expect(events.length).toBeGreaterThan(1);
    expect(events.slice(0, -1).map((event) => [event.type, event.partial_image_index])).toEqual(
      events.slice(0, -1).map((_, index) => ['image_generation.partial_image', index]),
    );
    expect(events.at(-1)).toMatchObject({
      type: 'image_generation.completed',
      media_type: 'image/png',
      usage: { cost: 0.0001 },
    });
    expect(await decode(events.at(-1).b64_json)).toMatchObject({ width: 256, height: 256 });
  });

  it('reports the exact cost and the generation id, and GET /generation returns the generation', async () => {
    const answer = await service.standard.post('/images', {
      json: { ...POSTER, size: '64x64', n: 2, user: 'user-1' },
      headers: { 'x-title': 'Test', 'http-referer': 'https://app.example', 'user-agent': 'painter/1.0' },
    });
    expect(answer.json.usage).toEqual({
      prompt_tokens: 0,
      completion_tokens: 0,
      total_tokens: 0,
      cost: 0.0002,
      is_byok: false,
    });
    const generation = await service.standard.get(`/generation?id=${answer.headers.get('x-generation-id')}`);
    expect(generation.json.data).toMatchObject({
      total_cost: 0.0002,
      model: 'builtin/poster',
      api_type: 'image',
      external_user: 'user-1',
      num_media_completion: 2,
      http_referer: 'https://app.example',
      cancelled: false,
      provider_name: 'Gatehouse built-in',
      request_id: answer.headers.get('x-request-id'),
      user_agent: 'painter/1.0',
      provider_responses: [{ provider_name: 'Gatehouse built-in', status: 200, latency: expect.any(Number) }],
    });
    const nobody = await service.standard.post('/images', { json: { ...POSTER, size: '64x64', user: '' } });
    const recorded = await service.standard.get(`/generation?id=${nobody.headers.get('x-generation-id')}`);
    expect([nobody.status, recorded.json.data.external_user]).toEqual([200, null]);
    expect((await service.standard.get('/generation?id=gen-00000000-0000-7000-8000-000000000000')).status).toBe(404);
    expect((await service.standard.get('/generation?id=x')).status).toBe(404);
    expect((await service.standard.get('/generation')).status).toBe(400);
  });

  it('handles every hostile prompt', async () => {
    const statuses = new Set<number>();
    for (const prompt of hostilePrompts())
      statuses.add(
        (
          await service.standard.post('/images', {
            json: { ...POSTER, prompt, size: '64x64', quality: 'low', output_format: 'jpeg' },
          })
        ).status,
      );
    expect([...statuses]).toEqual([200]);
  }, 300_000);
});

import sharp from 'sharp';
import { PIXEL, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';
import type { ApiAnswer } from '../../support/api/api-client.js';
import type { TestService } from '../../support/services/test-service.js';
import { startVendorStage } from '../../support/vendors/vendor-stage.js';

const PICTURE = Buffer.from(PIXEL, 'base64');

describe('POST /images/edits', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  beforeAll(async () => {
    ({ vendor, service } = await startVendorStage());
  });
  afterAll(() => service.stop());

  /** A form from a list of parts. A Buffer is sent as a file. */
  function form(parts: readonly (readonly [name: string, value: string | Buffer])[]): FormData {
    const body = new FormData();
    for (const [name, value] of parts)
      if (typeof value === 'string') body.append(name, value);
      else body.append(name, new Blob([Uint8Array.from(value)]), 'a.png');
    return body;
  }
  const edit = (...parts: (readonly [string, string | Buffer])[]): Promise<ApiAnswer> =>
    service.standard.post('/images/edits', { body: form(parts) });
  const POSTER = [
    ['model', 'builtin/poster'],
    ['prompt', 'A red kite'],
    ['size', '64x64'],
  ] as const;
  const VENDOR = [
    ['model', 'openai/gpt-image-1'],
    ['prompt', 'A red kite'],
  ] as const;

  it.each(['image', 'image[]'])('uses the picture in a part named %s', async (name) => {
    const red = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#f00' } })
      .png()
      .toBuffer();
    const [plain, edited] = await Promise.all([edit(...POSTER, [name, PICTURE]), edit(...POSTER, [name, red])]);
    expect([plain.status, edited.status]).toEqual([200, 200]);
    expect(edited.json.data[0].b64_json).not.toBe(plain.json.data[0].b64_json);
  });

  it('sends the vendor every picture, and the same settings as for a JSON request', async () => {
    const response = await edit(
      ...VENDOR,
      ['image[]', PICTURE],
      ['image[]', PICTURE],
      ['n', '1'],
      ['quality', 'hd'],
      ['size', '1024x1024'],
      ['user', 'someone'],
    );
    expect(response.status).toBe(200);
    const call = vendor.seen.at(-1)!;
    const sent = call.raw.toString('latin1');
    expect(call.path).toBe('/v1/images/edits');
    expect(sent.split(PICTURE.toString('latin1'))).toHaveLength(3);
    expect(sent).toContain('name="quality"\r\n\r\nhigh');
    expect(sent).toContain('name="size"\r\n\r\n1024x1024');
  });

  it('is billed, and its record has the billed cost', async () => {
    const { headers, json } = await edit(...VENDOR, ['image', PICTURE]);
    const id = headers.get('x-generation-id')!;
    const { data } = (await service.standard.get(`/generation?id=${id}`)).json;
    expect(json.usage.cost).toBeGreaterThan(0);
    expect(data).toMatchObject({ id, model: 'openai/gpt-image-1', total_cost: json.usage.cost });
  });

  it('streams events of its own type', async () => {
    const { text } = await edit(...VENDOR, ['image', PICTURE], ['stream', 'true']);
    const types = [...text.matchAll(/"type":"([^"]+)"/g)].map(([, type]) => type);
    expect(types).toEqual(['image_edit.partial_image', 'image_edit.partial_image', 'image_edit.completed']);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('returns a URL if response_format requests it', async () => {
    const { json } = await edit(...POSTER, ['image', PICTURE], ['response_format', 'url']);
    expect((await fetch(json.data[0].url as string)).status).toBe(200);
  });

  it('treats the text null as null, which forms cannot express otherwise', async () => {
    const parts = ['n', 'quality', 'background', 'output_format', 'response_format', 'stream', 'user'];
    const response = await edit(...POSTER, ['image', PICTURE], ...parts.map((name) => [name, 'null'] as const));
    expect(response.status).toBe(200);
  });

  it.each([
    ['image is required', [...POSTER]],
    ['model is required', [['image', PICTURE]]],
    ['image is required', [...POSTER, ['image', 'data:image/png;base64,x']]],
    ['image[1] is not a picture', [...POSTER, ['image', PICTURE], ['image', Buffer.from('text')]]],
    ['image must be at most 16 files', [...POSTER, ...Array.from({ length: 17 }, () => ['image', PICTURE])]],
    ['mask is not supported', [...POSTER, ['image', PICTURE], ['mask', PICTURE]]],
    ['n must be an integer', [...POSTER, ['image', PICTURE], ['n', 'two']]],
    ['n must not be greater than 10', [...POSTER, ['image', PICTURE], ['n', '11']]],
    ['stream must be a boolean', [...POSTER, ['image', PICTURE], ['stream', 'maybe']]],
    ['response_format must be one of', [...POSTER, ['image', PICTURE], ['response_format', 'gif']]],
  ] as const)('is refused: %s', async (message, parts) => {
    const response = await edit(...(parts as readonly (readonly [string, string | Buffer])[]));
    expect(response.status).toBe(400);
    expect(response.json.error.message).toContain(message);
  });

  it('accepts sixteen pictures', async () => {
    const pictures = Array.from({ length: 16 }, () => ['image[]', PICTURE] as const);
    expect((await edit(...POSTER, ...pictures)).status).toBe(200);
  });

  it.each([
    [{ json: { model: 'builtin/poster', prompt: 'x' } }, 'as a file of a multipart/form-data body'],
    [{ body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=b' } }, 'malformed'],
    [{}, 'empty'],
  ])('refuses %j', async (request, message) => {
    const response = await service.standard.post('/images/edits', request);
    expect([response.status, response.json.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('is refused above the size limit of image requests, and with an unknown key', async () => {
    const large = form([...POSTER, ['image', Buffer.alloc(26_300_000)]]);
    expect((await service.standard.post('/images/edits', { body: large })).status).toBe(413);
    expect((await service.as('wrong').post('/images/edits', { body: form([...POSTER]) })).status).toBe(401);
  });
});

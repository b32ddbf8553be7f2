import { DallEAPIWrapper } from '@langchain/openai';
import OpenAI, { toFile } from 'openai';
import { PIXEL, type ScriptedVendor } from '../../support/vendors/scripted-vendor.js';
import { TEST_API_KEY, type TestService } from '../../support/services/test-service.js';
import { startVendorStage } from '../../support/vendors/vendor-stage.js';

const BY_URL = { response_format: 'url' } as const;
const PNG = Buffer.from(PIXEL, 'base64');
const png = (name = 'a.png'): Promise<File> => toFile(PNG, name, { type: 'image/png' });
const isPng = (b64: string | undefined): boolean => Buffer.from(b64 ?? '', 'base64').toString('latin1', 1, 4) === 'PNG';

describe('the image API of openai', () => {
  let vendor: ScriptedVendor;
  let service: TestService;
  let client: OpenAI;
  beforeAll(async () => {
    ({ vendor, service } = await startVendorStage());
    client = new OpenAI({ apiKey: TEST_API_KEY, baseURL: `${service.origin}/api/v1`, maxRetries: 0 });
  });
  afterAll(() => service.stop());

  it.each([
    ['the built-in model', 'builtin/poster', undefined],
    ['a vendor', 'openai/gpt-image-1', '1024x1024'],
  ] as const)('edits one image with %s', async (_, model, size) => {
    const edited = await client.images.edit({ model, prompt: 'A red kite', size, image: await png() });
    expect(isPng(edited.data![0]!.b64_json)).toBe(true);
    expect(edited.usage).toMatchObject({ is_byok: false });
  });

  it('edits several images with a vendor', async () => {
    const image = [await png('a.png'), await png('b.png')];
    const edited = await client.images.edit({ model: 'openai/gpt-image-1', prompt: 'A red kite', n: 1, image });
    expect(isPng(edited.data![0]!.b64_json)).toBe(true);
    expect(vendor.seen.at(-1)!.raw.toString('latin1').split(PNG.toString('latin1'))).toHaveLength(3);
  });

  it('reads the stream of an edit', async () => {
    const events = await client.images.edit({
      model: 'openai/gpt-image-1',
      prompt: 'A red kite',
      image: await png(),
      stream: true,
      partial_images: 2,
    });
    const types: string[] = [];
    for await (const event of events) types.push(event.type);
    expect(types).toEqual(['image_edit.partial_image', 'image_edit.partial_image', 'image_edit.completed']);
  });

  it('throws BadRequestError for a mask', async () => {
    const edit = client.images.edit({
      model: 'builtin/poster',
      prompt: 'x',
      image: await png(),
      mask: await png('mask.png'),
    });
    await expect(edit).rejects.toThrow(OpenAI.BadRequestError);
    await expect(edit).rejects.toThrow('mask is not supported');
  });

  it.each(['builtin/poster', 'openai/gpt-image-1'])('gets an image of %s by URL', async (model) => {
    const made = await client.images.generate({ model, prompt: 'A red kite', ...BY_URL });
    expect(made.data![0]!.b64_json).toBeUndefined();
    const fetched = await fetch(made.data![0]!.url!);
    expect(fetched.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await fetched.arrayBuffer()).toString('latin1', 1, 4)).toBe('PNG');
  });

  it.each([1, 2])('gives the URLs of %i images to the unmodified DALL-E tool of @langchain/openai', async (n) => {
    const tool = new DallEAPIWrapper({
      apiKey: TEST_API_KEY,
      baseUrl: `${service.origin}/api/v1`,
      model: 'builtin/poster',
      n,
    });
    const answer = (await tool.invoke('A red kite')) as string | { image_url: string }[];
    const urls = typeof answer === 'string' ? [answer] : answer.map(({ image_url }) => image_url);
    expect(urls).toHaveLength(n);
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
  });
});

import sharp from 'sharp';
import type { ReferenceImage } from '../../ports/image-adapter.port.js';
import { anImageCall } from './image-call.fake.js';
import { PosterImageAdapter } from './poster-image.adapter.js';

const adapter = new PosterImageAdapter();

const picture = async (
  format: 'png' | 'jpeg' | 'webp' | 'gif',
  colour: string,
  width = 90,
  height = 60,
): Promise<ReferenceImage> => ({
  bytes: await sharp({ create: { width, height, channels: 3, background: colour } })
    .toFormat(format)
    .toBuffer(),
  mediaType: `image/${format}`,
});

const MAGENTA = '#ff00ff';

async function shareOf(b64: string): Promise<number> {
  const { data, info } = await sharp(Buffer.from(b64, 'base64'))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  let count = 0;
  for (let i = 0; i < data.length; i += info.channels)
    if ((data[i] ?? 0) > 225 && (data[i + 1] ?? 255) < 40 && (data[i + 2] ?? 0) > 225) count++;
  return count / (info.width * info.height);
}

const drawn = async (references: readonly ReferenceImage[], over = {}): Promise<string> =>
  (await adapter.generate(anImageCall({ width: 480, height: 600, references, ...over }))).images[0]?.b64 ?? '';

describe('the built-in poster with reference pictures', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)('shows a %s reference in the picture', async (format) => {
    expect(await shareOf(await drawn([await picture(format, MAGENTA)]))).toBeGreaterThan(0.08);
    expect(await shareOf(await drawn([]))).toBe(0);
  });

  it.each([2, 3, 5, 7, 16])('shows the first and the last of %i references', async (count) => {
    const one = await picture('png', MAGENTA);
    const others = await Promise.all(Array.from({ length: count - 1 }, () => picture('png', '#00ff00')));

    for (const place of [0, count - 1]) {
      const references = [...others.slice(0, place), one, ...others.slice(place)];
      expect(await shareOf(await drawn(references))).toBeGreaterThan(0.35 / 60 / Math.sqrt(count));
    }
  });

  it('shows a reference on a transparent background and in a picture without lettering', async () => {
    const reference = await picture('png', MAGENTA);

    expect(await shareOf(await drawn([reference], { background: 'transparent' }))).toBeGreaterThan(0.08);
    expect(await shareOf(await drawn([reference], { prompt: '\u200b' }))).toBeGreaterThan(0.08);
  });

  it('embeds a reference in an svg as newly encoded data', async () => {
    const reference = await picture('png', MAGENTA);
    const secret = Buffer.concat([reference.bytes, Buffer.from('bytes after the end')]);
    const markup = Buffer.from(await drawn([{ ...reference, bytes: secret }], { format: 'svg' }), 'base64').toString(
      'utf8',
    );

    expect(markup.match(/<image [^>]*href="data:image\/jpeg;base64,[A-Za-z0-9+/=]+"\/>/g)).toHaveLength(1);
    expect(markup).not.toContain(Buffer.from(reference.bytes).toString('base64').slice(0, 60));
  });

  it('gives the same bytes for the same references, and different bytes for another order of references', async () => {
    const [a, b] = [await picture('png', MAGENTA), await picture('png', '#00ff00')];

    expect(await drawn([a, b])).toBe(await drawn([a, b]));
    expect(await drawn([a, b])).not.toBe(await drawn([b, a]));
  });

  it('rotates a photograph according to its EXIF data', async () => {
    const bytes = await sharp({ create: { width: 200, height: 50, channels: 3, background: MAGENTA } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const markup = Buffer.from(await drawn([{ bytes, mediaType: 'image/jpeg' }], { format: 'svg' }), 'base64').toString(
      'utf8',
    );
    const [, width, height] = /<image [^>]*width="([\d.]+)" height="([\d.]+)"/.exec(markup) ?? [];

    expect(Number(height) / Number(width)).toBeCloseTo(4, 1);
  });

  describe('refuses as an invalid request:', () => {
    const svgBomb = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><image href="file:///etc/passwd"/></svg>',
    );
    const claim = (width: number, height: number): Buffer => {
      const header = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
      const body = Buffer.alloc(17);
      body.writeUInt32BE(width, 0);
      body.writeUInt32BE(height, 4);
      body.set([8, 6, 0, 0, 0], 8);
      return Buffer.concat([header, body, Buffer.alloc(40)]);
    };

    it.each<readonly [string, () => Promise<Uint8Array> | Uint8Array]>([
      ['no bytes', () => new Uint8Array()],
      ['text', () => Buffer.from('this is not a picture at all')],
      ['an svg', () => svgBomb],
      ['html', () => Buffer.from('<html><body>hello</body></html>')],
      ['a pdf', () => Buffer.from('%PDF-1.7 and some more of it')],
      ['a png header alone', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
      ['a truncated png', async () => (await noise('png')).subarray(0, 2000)],
      ['a truncated jpeg', async () => (await noise('jpeg')).subarray(0, 2000)],
      ['a truncated webp', async () => (await noise('webp')).subarray(0, 2000)],
      ['a png with a damaged middle', async () => damaged(await noise('png'))],
      ['a header that claims gigapixels', () => claim(65_000, 65_000)],
    ])('%s, with the number of the picture in the error', async (_what, make) => {
      const good = await picture('png', MAGENTA);
      const bad = { bytes: await make(), mediaType: 'image/png' };

      await expect(adapter.generate(anImageCall({ references: [good, good, good, bad] }))).rejects.toMatchObject({
        kind: 'invalid_request',
        message: expect.stringContaining('input_references[3]'),
      });
    });

    it('a valid picture of more than 50 megapixels', async () => {
      const large = await sharp({ create: { width: 8000, height: 7000, channels: 3, background: '#000000' } })
        .png({ compressionLevel: 1 })
        .toBuffer();

      await expect(
        adapter.generate(anImageCall({ references: [{ bytes: large, mediaType: 'image/png' }] })),
      ).rejects.toMatchObject({ kind: 'invalid_request', message: expect.stringContaining('50 megapixels') });
    });

    it('more than 16 pictures', async () => {
      const one = await picture('png', MAGENTA);

      await expect(
        adapter.generate(anImageCall({ references: Array.from({ length: 17 }, () => one) })),
      ).rejects.toMatchObject({ kind: 'invalid_request', message: expect.stringContaining('16') });
    });
  });
});

async function noise(format: 'png' | 'jpeg' | 'webp'): Promise<Buffer> {
  return sharp({
    create: {
      width: 120,
      height: 120,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .toFormat(format)
    .toBuffer();
}

function damaged(bytes: Buffer): Buffer {
  const out = Buffer.from(bytes);
  out.fill(0xaa, Math.floor(out.length / 2), Math.floor(out.length / 2) + 400);
  return out;
}

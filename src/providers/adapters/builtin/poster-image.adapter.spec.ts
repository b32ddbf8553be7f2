import sharp from 'sharp';
import type { GeneratedImage, ImageCall, ImageFormat } from '../../ports/image-adapter.port.js';
import { anImageCall } from './image-call.fake.js';
import { PosterImageAdapter } from './poster-image.adapter.js';

const adapter = new PosterImageAdapter();

async function imagesOf(over: Partial<ImageCall>): Promise<readonly GeneratedImage<string>[]> {
  return (await adapter.generate(anImageCall(over))).images;
}

async function bytesOf(over: Partial<ImageCall>): Promise<Buffer> {
  return Buffer.from((await imagesOf(over))[0]?.b64 ?? '', 'base64');
}

describe('the built-in poster', () => {
  it.each(['generate', 'stream'] as const)('lets other work run between the pictures of a call of %s', async (how) => {
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    const call = anImageCall({ n: 6, format: 'svg' });
    await (how === 'generate' ? adapter.generate(call) : adapter.stream(call, () => undefined));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(2);
  });

  it('has the adapter name that its catalogue endpoints use', () => {
    expect(adapter.name).toBe('builtin-poster');
  });

  describe('size', () => {
    it.each([
      [64, 64],
      [64, 512],
      [512, 64],
      [333, 127],
      [1024, 768],
    ])('draws exactly %i × %i pixels', async (width, height) => {
      expect(await sharp(await bytesOf({ width, height })).metadata()).toMatchObject({ format: 'png', width, height });
    });

    it('draws 4096 × 4096 pixels', async () => {
      expect(
        await sharp(await bytesOf({ width: 4096, height: 4096, format: 'jpeg', quality: 'low' })).metadata(),
      ).toMatchObject({ format: 'jpeg', width: 4096, height: 4096 });
    });

    it('derives the pixels from the tier and the aspect ratio if no pixels are given', async () => {
      expect(
        await sharp(
          await bytesOf({ width: undefined, height: undefined, resolution: '512', aspectRatio: '16:9' }),
        ).metadata(),
      ).toMatchObject({ width: 640, height: 360 });
      expect(await sharp(await bytesOf({ width: undefined, height: undefined })).metadata()).toMatchObject({
        width: 1024,
        height: 1024,
      });
    });

    it.each([{ width: 63 }, { height: 4097 }, { width: 100.5 }, { width: Number.NaN }, { height: undefined }])(
      'refuses %j',
      async (over) => {
        await expect(adapter.generate(anImageCall(over))).rejects.toMatchObject({
          kind: 'invalid_request',
          message: expect.stringContaining('64 to 4096'),
        });
      },
    );
  });

  describe('work', () => {
    it.each([
      [3, 4096, 4096],
      [10, 2208, 2208],
    ])('refuses %i pictures of %i × %i: more than 48 million pixels', async (n, width, height) => {
      await expect(adapter.generate(anImageCall({ n, width, height }))).rejects.toMatchObject({
        kind: 'invalid_request',
        message: expect.stringContaining('48000000'),
      });
    });

    it('draws 48 million pixels in one call, and any number of vector graphics', async () => {
      const large = { width: 4000, height: 4000, quality: 'low', format: 'jpeg' } as const;
      expect(await imagesOf({ ...large, n: 3 })).toHaveLength(3);
      expect(await imagesOf({ width: 4096, height: 4096, n: 10, format: 'svg' })).toHaveLength(10);
    });

    it.each([
      ['one picture of a key at a time', ['a', 'a', 'a'], 1],
      ['pictures of several keys in parallel', ['a', 'b', 'c'], 2],
    ])('renders %s', async (_what, keys, atOnce) => {
      let most = 0;
      const sampling = setInterval(() => (most = Math.max(most, sharp.counters().process)), 1);
      const own = new PosterImageAdapter(2);
      await Promise.all(
        keys.map((callerKey) => own.generate(anImageCall({ callerKey, width: 1024, height: 1024, n: 2 }))),
      );
      clearInterval(sampling);
      expect(most).toBe(atOnce);
    });
  });

  describe('format', () => {
    it.each([
      ['png', 'image/png', (b: Buffer) => b.subarray(0, 8).toString('latin1') === '\u0089PNG\r\n\u001a\n'],
      ['jpeg', 'image/jpeg', (b: Buffer) => b[0] === 0xff && b[1] === 0xd8 && b.at(-2) === 0xff && b.at(-1) === 0xd9],
      [
        'webp',
        'image/webp',
        (b: Buffer) =>
          b.subarray(0, 4).toString('latin1') === 'RIFF' && b.subarray(8, 12).toString('latin1') === 'WEBP',
      ],
      ['svg', 'image/svg+xml', (b: Buffer) => b.toString('utf8').startsWith('<svg xmlns="http://www.w3.org/2000/svg"')],
    ] as const)('%s has the media type %s and the first bytes of the format', async (format, mediaType, isIt) => {
      const [image] = await imagesOf({ format });

      expect(image?.mediaType).toBe(mediaType);
      expect(isIt(Buffer.from(image?.b64 ?? '', 'base64'))).toBe(true);
    });

    it('is png if no format is requested', async () => {
      expect((await imagesOf({}))[0]?.mediaType).toBe('image/png');
    });

    it.each(['jpeg', 'webp'] as const)('output_compression changes the size of a %s', async (format) => {
      const sizes = await Promise.all(
        [0, 40, 100].map(async (compression) => (await bytesOf({ format, compression })).length),
      );

      expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
      expect(new Set(sizes).size).toBe(3);
    });

    it('output_compression is ignored for png', async () => {
      expect(await bytesOf({ format: 'png', compression: 3 })).toEqual(await bytesOf({ format: 'png' }));
    });

    it.each([-1, 101, 1.5])('refuses an output_compression of %d', async (compression) => {
      await expect(adapter.generate(anImageCall({ format: 'webp', compression }))).rejects.toMatchObject({
        kind: 'invalid_request',
      });
    });
  });

  describe('background', () => {
    const alphaOf = async (bytes: Buffer): Promise<{ min: number; max: number; share: number }> => {
      const { data } = await sharp(bytes).extractChannel('alpha').raw().toBuffer({ resolveWithObject: true });
      return {
        min: Math.min(...data),
        max: Math.max(...data),
        share: data.filter((a) => a === 0).length / data.length,
      };
    };

    it.each(['png', 'webp'] as const)(
      'transparent omits the background of a %s and keeps motif and lettering',
      async (format) => {
        for (const prompt of ['forest', 'cat', 'city at night', 'bauhaus', 'xkcd']) {
          const alpha = await alphaOf(await bytesOf({ format, prompt, background: 'transparent' }));

          expect(alpha).toMatchObject({ min: 0, max: 255 });
          expect(alpha.share).toBeGreaterThan(0.1);
          expect(alpha.share).toBeLessThan(0.9);
        }
      },
    );

    it.each(['opaque', 'auto', undefined] as const)('%s has no alpha', async (background) => {
      expect((await sharp(await bytesOf({ background })).metadata()).hasAlpha).toBe(false);
    });

    it('refuses a transparent jpeg', async () => {
      await expect(adapter.generate(anImageCall({ background: 'transparent', format: 'jpeg' }))).rejects.toMatchObject({
        kind: 'invalid_request',
        message: expect.stringContaining('png or webp'),
      });
    });
  });

  describe('seed', () => {
    it.each(['png', 'jpeg', 'webp', 'svg'] as const satisfies readonly ImageFormat[])(
      'the same seed and request give the same %s bytes, also from another instance',
      async (format) => {
        const again = await new PosterImageAdapter().generate(anImageCall({ format }));

        expect(again.images).toEqual(await imagesOf({ format }));
      },
    );

    it('a different seed, prompt or quality gives a different picture', async () => {
      const all = await Promise.all(
        [
          {},
          { seed: 8 },
          { seed: -7 },
          { prompt: 'a lighthouse by the sea.' },
          { quality: 'high' as const },
          { prompt: '\ud800' },
          { prompt: '\ud801' },
        ].map(async (over) => (await bytesOf(over)).toString('base64')),
      );

      expect(new Set(all).size).toBe(all.length);
    });

    it('without a seed every call is different', async () => {
      expect(await bytesOf({ seed: undefined })).not.toEqual(await bytesOf({ seed: undefined }));
    });

    it('the pictures of one call differ, and the first is the picture of n = 1', async () => {
      const images = await imagesOf({ n: 10, width: 96, height: 96 });

      expect(new Set(images.map((i) => i.b64)).size).toBe(10);
      expect(images[0]).toEqual((await imagesOf({ width: 96, height: 96 }))[0]);
    });

    it.each([0, 11, 1.5])('refuses n = %d', async (n) => {
      await expect(adapter.generate(anImageCall({ n }))).rejects.toMatchObject({ kind: 'invalid_request' });
    });
  });

  it('draws more detail at a higher quality', async () => {
    const sizes = await Promise.all(
      (['low', 'medium', 'high'] as const).map(
        async (quality) => (await bytesOf({ format: 'svg', quality, prompt: 'bauhaus' })).length,
      ),
    );

    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect(sizes[2]).toBeGreaterThan((sizes[0] ?? 0) * 1.3);
  });

  it('ignores unknown options', async () => {
    expect(await bytesOf({ options: { steps: 50 }, endUser: 'u' })).toEqual(await bytesOf({}));
  });
});

import type sharpFunction from 'sharp';
import type { Sharp } from 'sharp';

export type RasterFormat = 'png' | 'jpeg' | 'webp';

interface RasterOrder {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly format: RasterFormat;
  /** The quality of jpeg and webp, 0 to 100. It has no effect on png. */
  readonly compression: number | undefined;
  readonly transparent: boolean;
  /** The background colour of an opaque picture. */
  readonly paper: string;
  /** The blur radius as a share of the shorter side, for the first preview. */
  readonly blur?: number;
}

/** Far longer than the few seconds that 4096 × 4096 pixels take. */
const RASTER_TIMEOUT_SECONDS = 120;

let loading: Promise<typeof sharpFunction> | undefined;

/** sharp, loaded with the first picture, because libvips takes about 30 MB. */
export function sharpPackage(): Promise<typeof sharpFunction> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // Disable libvips' cache of decoded pictures and its use of all cores for one picture.
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}

export async function rasterise(order: RasterOrder): Promise<Buffer> {
  const sharp = await sharpPackage();
  const measure = Math.min(order.width, order.height);
  let picture = sharp(Buffer.from(order.svg, 'utf8'), { density: 72, unlimited: true }).timeout({
    seconds: RASTER_TIMEOUT_SECONDS,
  });
  // Blurring a picture without a background would make its edges transparent.
  if (order.blur !== undefined)
    picture = picture.flatten({ background: order.paper }).blur(Math.max(0.5, measure * order.blur));
  if (!order.transparent) picture = picture.flatten({ background: order.paper }).removeAlpha();
  return encode(picture, order).toBuffer();
}

function encode(picture: Sharp, { format, compression }: RasterOrder): Sharp {
  if (format === 'png') return picture.png({ compressionLevel: 6, adaptiveFiltering: false });
  if (format === 'webp') return picture.webp({ quality: Math.max(1, compression ?? 88), effort: 2 });
  // libjpeg has no quality 0.
  return picture.jpeg({ quality: Math.max(1, compression ?? 90), chromaSubsampling: '4:4:4' });
}

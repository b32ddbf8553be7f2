import type { Sharp } from 'sharp';
import type { ImageFormat } from '../../../../ports/image-adapter.port.js';
import { grainFor } from './grain.js';
import { sharpPackage } from './sharp-package.js';

export type RasterFormat = Exclude<ImageFormat, 'svg'>;

interface RasterOrder {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly format: RasterFormat;
  /** 0 to 100, jpeg and webp. */
  readonly compression: number | undefined;
  readonly transparent: boolean;
  /** The background colour of an opaque picture. */
  readonly paper: string;
  /** 0 = no paper grain. */
  readonly grain: number;
  /** A blur radius as a share of the shorter side, for the first preview. */
  readonly blur?: number;
}

/** Minimum shorter side in pixels; on smaller pictures grain looks like dirt. */
const GRAIN_FROM = 256;

/** Far above the few seconds that 4096 × 4096 pixels take. */
const RASTER_TIMEOUT_SECONDS = 120;

export async function rasterise(order: RasterOrder): Promise<Buffer> {
  const sharp = await sharpPackage();
  const measure = Math.min(order.width, order.height);
  let picture = sharp(Buffer.from(order.svg, 'utf8'), { density: 72, unlimited: true }).timeout({
    seconds: RASTER_TIMEOUT_SECONDS,
  });
  // Without a ground, blurring would fade the edges.
  if (order.blur !== undefined)
    picture = picture.flatten({ background: order.paper }).blur(Math.max(0.5, measure * order.blur));
  if (order.grain > 0 && measure >= GRAIN_FROM) {
    const { data, side } = grainFor(measure, order.grain);
    const tile =
      side > Math.max(order.width, order.height)
        ? await cropped(data, side, order)
        : { input: data, raw: { width: side, height: side, channels: 4 as const } };
    picture = picture.composite([{ ...tile, tile: true, blend: 'atop', gravity: 'northwest' }]);
  }
  if (!order.transparent) picture = picture.flatten({ background: order.paper }).removeAlpha();
  return encode(picture, order).toBuffer();
}

/** Crops the overlay: sharp refuses overlays larger than the picture. */
async function cropped(
  data: Buffer,
  side: number,
  order: RasterOrder,
): Promise<{ input: Buffer; raw: { width: number; height: number; channels: 4 } }> {
  const sharp = await sharpPackage();
  const width = Math.min(side, order.width);
  const height = Math.min(side, order.height);
  const input = await sharp(data, { raw: { width: side, height: side, channels: 4 } })
    .extract({ left: 0, top: 0, width, height })
    .raw()
    .toBuffer();
  return { input, raw: { width, height, channels: 4 } };
}

function encode(picture: Sharp, { format, compression }: RasterOrder): Sharp {
  if (format === 'png') return picture.png({ compressionLevel: 6, adaptiveFiltering: false });
  if (format === 'webp') return picture.webp({ quality: Math.max(1, compression ?? 88), effort: 2 });
  // libjpeg has no quality 0.
  return picture.jpeg({ quality: Math.max(1, compression ?? 90), chromaSubsampling: '4:4:4' });
}

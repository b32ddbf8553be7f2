import { type Picture, sharpPackage } from '@gatehouse/builtin-models';
import type { Sharp } from 'sharp';
import { invalidRequest } from '../../../kernel/errors/errors.js';
import type { ReferenceImage } from '../../ports/image-adapter.port.js';

/** Maximum decoded pixels of a reference, because a file of a few kilobytes can declare gigapixels. */
const MAX_REFERENCE_PIXELS = 50_000_000;
const DECODE_TIMEOUT_SECONDS = 30;

/**
 * Decodes a reference and re-encodes it at no more than `longest` pixels a side. None of its original bytes are passed
 * on.
 */
export async function readReference({ bytes }: ReferenceImage, index: number, longest: number): Promise<Picture> {
  const where = `input_references[${index}]`;
  if (!looksLikeRaster(bytes))
    throw invalidRequest(`${where} is not a picture that can be read; send PNG, JPEG, WebP, GIF, AVIF or TIFF.`);
  const sharp = await sharpPackage();
  const open = (): Sharp =>
    sharp(bytes, { limitInputPixels: MAX_REFERENCE_PIXELS, failOn: 'error', sequentialRead: true }).timeout({
      seconds: DECODE_TIMEOUT_SECONDS,
    });
  try {
    const { hasAlpha, width, height } = await open().metadata();
    if (width * height > MAX_REFERENCE_PIXELS) throw new Error('too many pixels');
    const fitted = open()
      .autoOrient()
      .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb');
    const { data, info } = await (
      hasAlpha ? fitted.png({ compressionLevel: 6 }) : fitted.jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    ).toBuffer({ resolveWithObject: true });
    return {
      width: info.width,
      height: info.height,
      mediaType: hasAlpha ? 'image/png' : 'image/jpeg',
      b64: data.toString('base64'),
    };
  } catch (cause) {
    const tooLarge = cause instanceof Error && /pixel/i.test(cause.message);
    throw invalidRequest(
      tooLarge
        ? `${where} has too many pixels; at most ${MAX_REFERENCE_PIXELS / 1_000_000} megapixels are read.`
        : `${where} is damaged: it could not be decoded as a picture.`,
    );
  }
}

const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

/** Checks magic bytes before decoding, because decoders of vector formats could read the host's fonts and files. */
function looksLikeRaster(bytes: Uint8Array): boolean {
  if (bytes.length < 12) return false;
  const head = ascii(bytes, 0, 4);
  if (head === '\u0089PNG' || head === 'GIF8') return true;
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return true;
  if (head === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return true;
  if (head === 'II*\0' || head === 'MM\0*') return true;
  return ascii(bytes, 4, 8) === 'ftyp' && /^(avif|avis|mif1)$/.test(ascii(bytes, 8, 12));
}

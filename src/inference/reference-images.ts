import { GatewayError, invalidRequest } from '../kernel/errors.js';
import { imageTypeOf } from '../providers/spec/image-type.js';
import type { ReferenceImage } from '../providers/spec/image-adapter.port.js';
import type { ReferenceSource } from '../providers/spec/reference-source.port.js';

/** A reference picture as the caller gave it: there, or to be fetched. */
export type AskedReference = ReferenceImage | { readonly url: string };

const DATA_URL = /^data:(image\/[a-z0-9.+-]+)(?:;[a-z0-9-]+=[^;,]*)*;base64,/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

const nameOf = (index: number): string => `input_references[${index}].image_url.url`;

/** Decodes what is given as base64 data URLs, and leaves http(s) URLs to be fetched; the message names the entry that is wrong. */
export function decodeReferences(urls: readonly string[]): AskedReference[] {
  return urls.map((url, index) => {
    const name = nameOf(index);
    if (/^https?:/i.test(url)) return { url };
    const match = DATA_URL.exec(url.slice(0, 200));
    if (!match) throw invalidRequest(`${name} must be a base64 data URL of an image or an http(s) URL`);
    const data = url.slice(match[0].length);
    if (data.length === 0 || !BASE64.test(data)) throw invalidRequest(`${name} is not valid base64`);
    const bytes = Buffer.from(data, 'base64');
    const mediaType = imageTypeOf(bytes);
    if (!mediaType) throw invalidRequest(`${name} holds no picture of a known kind (PNG, JPEG, WebP, GIF, AVIF, HEIC)`);
    return { bytes, mediaType };
  });
}

/** All pictures, those by URL fetched. */
export async function loadReferences(
  asked: readonly AskedReference[],
  source: ReferenceSource | undefined,
  signal: AbortSignal,
): Promise<ReferenceImage[]> {
  const addressed = asked.flatMap((reference, index) => ('url' in reference ? [{ url: reference.url, index }] : []));
  if (addressed.length > 0 && !source)
    throw new GatewayError(
      'invalid_request',
      `${nameOf(addressed[0]!.index)}: this service fetches no pictures, send a base64 data URL`,
    );
  const fetched =
    addressed.length === 0
      ? []
      : await source!.fetchAll(
          addressed.map(({ url }) => url),
          (place) => nameOf(addressed[place]!.index),
          signal,
        );
  return asked.map((reference) => ('url' in reference ? fetched.shift()! : reference));
}

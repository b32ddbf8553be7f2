import { GatewayError, invalidRequest } from '../../kernel/errors/errors.js';
import { inSlices } from '../../kernel/scheduling/slices.js';
import { decodeBase64 } from '../base64.js';
import { imageTypeOf } from '../../formats/media/image-type.js';
import type { ReferenceImage } from '../../providers/ports/image-adapter.port.js';
import type { ReferenceSource } from '../../providers/ports/reference-source.port.js';

/** A reference picture as the caller sent it: its bytes, or a URL from which to fetch it. */
export type RequestedReference = ReferenceImage | { readonly url: string };

const DATA_URL = /^data:(image\/[a-z0-9.+-]+)(?:;[a-z0-9-]+=[^;,]*)*;base64,/i;
/** Data URLs that are longer in total are decoded in slices, because decoding 24 MB takes 70 ms. */
const MAX_CHARACTERS_AT_ONCE = 1_048_576;

const nameOf = (index: number): string => `input_references[${index}].image_url.url`;

/** Decodes base64 data URLs and keeps http(s) URLs. Throws invalid_request for any other entry, with its path. */
export function decodeReferences(urls: readonly string[]): RequestedReference[] | Promise<RequestedReference[]> {
  const length = urls.reduce((sum, url) => sum + url.length, 0);
  const decoding = decodeInSteps(urls);
  if (length > MAX_CHARACTERS_AT_ONCE) return inSlices(decoding);
  for (;;) {
    const step = decoding.next();
    if (step.done) return step.value;
  }
}

function* decodeInSteps(urls: readonly string[]): Generator<void, RequestedReference[], void> {
  const references: RequestedReference[] = [];
  for (const [index, url] of urls.entries()) {
    if (/^https?:/i.test(url)) references.push({ url });
    else references.push(yield* decodeReference(url, nameOf(index)));
  }
  return references;
}

function* decodeReference(url: string, name: string): Generator<void, ReferenceImage, void> {
  const match = DATA_URL.exec(url.slice(0, 200));
  if (!match) throw invalidRequest(`${name} must be a base64 data URL of an image or an http(s) URL`);
  const bytes = yield* decodeBase64(url.slice(match[0].length));
  if (!bytes) throw invalidRequest(`${name} is not valid base64`);
  return referenceOf(bytes, name);
}

/**
 * A picture that was sent as bytes. Throws invalid_request with `name`, the name of the member, if the bytes are not a
 * picture.
 */
export function referenceOf(bytes: Uint8Array, name: string): ReferenceImage {
  const mediaType = imageTypeOf(bytes);
  if (!mediaType) throw invalidRequest(`${name} is not a picture of a known kind (PNG, JPEG, WebP, GIF, AVIF, HEIC)`);
  return { bytes, mediaType };
}

/**
 * Fetches the pictures that were sent as URLs. Returns all pictures in order. Throws invalid_request if there is a URL
 * and no `source`.
 */
export async function loadReferences(
  requested: readonly RequestedReference[],
  source: ReferenceSource | undefined,
  signal: AbortSignal,
): Promise<ReferenceImage[]> {
  const addressed = requested.flatMap((reference, index) =>
    'url' in reference ? [{ url: reference.url, index }] : [],
  );
  if (addressed.length > 0 && !source)
    throw new GatewayError(
      'invalid_request',
      `${nameOf(addressed[0]!.index)}: this service does not fetch pictures, send a base64 data URL`,
    );
  const fetched =
    addressed.length === 0
      ? []
      : await source!.fetchAll(
          addressed.map(({ url }) => url),
          (place) => nameOf(addressed[place]!.index),
          signal,
        );
  return requested.map((reference) => ('url' in reference ? fetched.shift()! : reference));
}

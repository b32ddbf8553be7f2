import { invalidRequest } from '../kernel/errors.js';
import { imageTypeOf } from '../providers/spec/image-type.js';
import type { ReferenceImage } from '../providers/spec/image-adapter.port.js';

const DATA_URL = /^data:(image\/[a-z0-9.+-]+);base64,/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Decodes reference pictures given as base64 data URLs; the message names the entry that is wrong. */
export function decodeReferences(urls: readonly string[]): ReferenceImage[] {
  return urls.map((url, index) => {
    const name = `input_references[${index}].image_url.url`;
    if (/^https?:/i.test(url)) throw invalidRequest(`${name}: pictures by http(s) URL are not fetched by this service yet: send a base64 data URL`);
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

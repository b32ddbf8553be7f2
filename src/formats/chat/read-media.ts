import { invalidRequest } from '../../kernel/errors/errors.js';
import { mediaTypeOfAudio } from '../media/audio-format.js';
import type { MediaPart } from '../conversation.js';
import { imageTypeOf } from '../media/image-type.js';
import type { Members } from '../members.js';
import { asMembers, asText, ifGiven } from '../request-members.js';

type Source = MediaPart['source'];

/** Number of base64 characters that contain the signature of any picture format. */
const SNIFFED_CHARACTERS = 64;
const DATA_URL = /^data:([^,]{0,255}),/i;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Readers for the media parts of the chat format, by type. Each receives the part and its path. */
export const MEDIA_READERS: Readonly<Record<string, (part: Members, path: string) => MediaPart>> = {
  image_url: (part, path) => {
    const image = asMembers(part.image_url, `${path}.image_url`);
    return {
      type: 'image',
      source: sourceOf(image.url, `${path}.image_url.url`, 'image'),
      detail: ifGiven(image.detail, `${path}.image_url.detail`, asText),
    };
  },
  input_audio: (part, path) => {
    const audio = asMembers(part.input_audio, `${path}.input_audio`);
    const format = asText(audio.format, `${path}.input_audio.format`).toLowerCase();
    const data = asText(audio.data, `${path}.input_audio.data`);
    if (!BASE64.test(data)) throw invalidRequest(`${path}.input_audio.data must be base64, not a URL.`);
    return { type: 'audio', source: { base64: data, mediaType: mediaTypeOfAudio(format) } };
  },
  video_url: (part, path) => {
    const { url } = asMembers(part.video_url, `${path}.video_url`);
    return { type: 'video', source: sourceOf(url, `${path}.video_url.url`, 'video') };
  },
  file: (part, path) => {
    const file = asMembers(part.file, `${path}.file`);
    return {
      type: 'file',
      source: sourceOf(file.file_data, `${path}.file.file_data`, 'application'),
      filename: ifGiven(file.filename, `${path}.file.filename`, asText),
    };
  },
};

/** Whether a text consists of base64 characters, which may be URL-safe. */
export const isBase64Text = (text: string): boolean => BASE64.test(text);

/** Reads a data URL or an http(s) URL. `kind`: the prefix of the media type. */
export function sourceOf(value: unknown, path: string, kind: string): Source {
  const url = asText(value, path);
  const head = DATA_URL.exec(url);
  if (!head) {
    if (/^https?:\/\//i.test(url) && URL.canParse(url)) return { url };
    throw invalidRequest(`${path} must be a data URL or an http(s) URL.`);
  }
  const [type = '', ...parameters] = head[1]!.split(';').map((text) => text.trim());
  const isBase64 = parameters.at(-1)?.toLowerCase() === 'base64';
  const data = url.slice(head[0].length);
  const base64 = isBase64 ? data : base64OfPercentEncoded(data, path);
  if (!BASE64.test(base64)) throw invalidRequest(`${path} must hold base64 after its comma.`);
  return { base64, mediaType: type.toLowerCase() || typeOf(base64, path, kind) };
}

function base64OfPercentEncoded(data: string, path: string): string {
  try {
    return Buffer.from(decodeURIComponent(data)).toString('base64');
  } catch {
    throw invalidRequest(`${path} must be percent-encoded after its comma, or base64.`);
  }
}

/** Detects the media type of data whose URL does not contain the type. Throws invalid_request if this is impossible. */
function typeOf(base64: string, path: string, kind: string): string {
  if (kind === 'application') return 'application/octet-stream';
  const sniffed = kind === 'image' && imageTypeOf(Buffer.from(base64.slice(0, SNIFFED_CHARACTERS), 'base64'));
  if (!sniffed) throw invalidRequest(`${path} must name a media type, as in "data:${kind}/…;base64,…".`);
  return sniffed;
}

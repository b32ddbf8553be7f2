import { OFFICE_TYPES } from './office-names.js';

/** The number of bytes at the start of a file from which its kind is detected. No supported kind needs more. */
export const HEAD_BYTES = 4096;

export const ZIP = 'application/zip';
export const PDF = 'application/pdf';

const SUPPORTED: ReadonlySet<string> = new Set([
  PDF,
  ZIP,
  ...OFFICE_TYPES,
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'audio/mpeg',
  'audio/wav',
  'audio/flac',
  'audio/ogg',
]);

/** Media types that the library detects, with the media type that is reported instead. */
const REPORTED_AS: ReadonlyMap<string, string> = new Map([
  ['image/apng', 'image/png'],
  ['audio/ogg; codecs=opus', 'audio/ogg'],
  // Ogg with a codec that the library does not detect.
  ['application/ogg', 'audio/ogg'],
]);

/** MPEG audio layers 1 and 2. They share the media type of MP3, but are not supported. */
const OTHER_MPEG_AUDIO = new Set(['mp1', 'mp2']);

/** Signatures of kinds for which the library needs more than the start of the file. */
const SIGNATURES: readonly (readonly [signature: Buffer, kind: string])[] = [
  [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png'],
  [Buffer.from('OggS'), 'audio/ogg'],
  [Buffer.from('ID3'), 'audio/mpeg'],
];

/** The supported media type that the signature at the start of a file indicates; undefined if there is none. */
export async function kindOfHead(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  // The library may throw for a truncated or malicious start.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (!found) return SIGNATURES.find(([signature]) => signature.equals(head.subarray(0, signature.length)))?.[1];
  const kind = REPORTED_AS.get(found.mime) ?? found.mime;
  return SUPPORTED.has(kind) && !OTHER_MPEG_AUDIO.has(found.ext) ? kind : undefined;
}

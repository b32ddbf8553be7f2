import { OFFICE_TYPES } from './office-names.js';

/** Bytes needed to detect a signature; no supported kind needs more. */
export const HEAD_BYTES = 4096;

export const ZIP = 'application/zip';
export const PDF = 'application/pdf';

/** The supported media types. */
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

/** Media types of the library that are reported as another one. */
const REPORTED_AS: ReadonlyMap<string, string> = new Map([
  ['image/apng', 'image/png'],
  ['audio/ogg; codecs=opus', 'audio/ogg'],
  // Ogg with a codec that the library does not know.
  ['application/ogg', 'audio/ogg'],
]);

/** MPEG audio layers 1 and 2 share a media type with MP3. */
const OTHER_MPEG_AUDIO = new Set(['mp1', 'mp2']);

/** Kinds that the library detects by parsing more than the signature, so that the start of the file is not enough. */
const SIGNATURES: readonly (readonly [signature: Buffer, kind: string])[] = [
  [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'image/png'],
  [Buffer.from('OggS'), 'audio/ogg'],
  [Buffer.from('ID3'), 'audio/mpeg'],
];

/** The kind given by the signature at the start: a supported one, `ZIP`, or undefined. */
export async function kindOfHead(head: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  // A truncated or malicious start has no kind.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (!found) return SIGNATURES.find(([signature]) => signature.equals(head.subarray(0, signature.length)))?.[1];
  const kind = REPORTED_AS.get(found.mime) ?? found.mime;
  return SUPPORTED.has(kind) && !OTHER_MPEG_AUDIO.has(found.ext) ? kind : undefined;
}

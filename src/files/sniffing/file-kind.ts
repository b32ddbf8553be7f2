/** Bytes needed to detect a signature; no supported kind needs more. */
export const HEAD_BYTES = 4096;

export const ZIP = 'application/zip';
export const PDF = 'application/pdf';

/** The library's media type → the reported one. */
const REPORTED: ReadonlyMap<string, string> = new Map([
  [PDF, PDF],
  ['image/png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
  [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  [
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  ],
  ['audio/mpeg', 'audio/mpeg'],
  ['audio/wav', 'audio/wav'],
  ['audio/flac', 'audio/flac'],
  ['audio/ogg', 'audio/ogg'],
  ['audio/ogg; codecs=opus', 'audio/ogg'],
  // Ogg with a codec that the library does not know.
  ['application/ogg', 'audio/ogg'],
  [ZIP, ZIP],
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
  return OTHER_MPEG_AUDIO.has(found.ext) ? undefined : REPORTED.get(found.mime);
}

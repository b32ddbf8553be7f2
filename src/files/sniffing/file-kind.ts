import { fileTypeFromBuffer } from 'file-type';

/** What signatures are read from: no supported kind needs more. */
export const HEAD_BYTES = 4096;

export const ZIP = 'application/zip';
export const PDF = 'application/pdf';

/** What a signature is called by the library → how it is reported (wire-notes section 7). */
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
  [ZIP, ZIP],
]);

/** Older layers of MPEG audio share a media type with MP3. */
const OTHER_MPEG_AUDIO = new Set(['mp1', 'mp2']);

/** The kind that a signature at the beginning tells: a supported one, `ZIP`, or undefined. */
export async function kindOfHead(head: Uint8Array): Promise<string | undefined> {
  // A head that ends within a structure, or one that is made to confuse, is none.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  return found && !OTHER_MPEG_AUDIO.has(found.ext) ? REPORTED.get(found.mime) : undefined;
}

const ENTRY = Buffer.from('PK\x01\x02', 'latin1');
const ENTRY_BYTES = 46;
const [NAME_LENGTH_AT, EXTRA_LENGTH_AT, COMMENT_LENGTH_AT] = [28, 30, 32];

const FOLDERS = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
] as const;

/** The media types of office documents. */
export const OFFICE_TYPES = FOLDERS.map(([, mediaType]) => mediaType);

/**
 * The media type of an office document; undefined for other archives. `tail`: the end of the archive with its
 * directory, which lists all entries. The start is not enough, because entries may be in any order. Documents with
 * macros have other media types, which are not supported.
 */
export function officeKindIn(tail: Buffer): string | undefined {
  const names = namesIn(tail);
  if (!names.includes('[Content_Types].xml') || names.some((name) => name.endsWith('vbaProject.bin'))) return undefined;
  return FOLDERS.find(([folder]) => names.some((name) => name.startsWith(folder)))?.[1];
}

/** Names of consecutive directory entries in the bytes, from the first complete one. */
function namesIn(tail: Buffer): string[] {
  const names: string[] = [];
  let at = tail.indexOf(ENTRY);
  while (at >= 0 && at + ENTRY_BYTES <= tail.length) {
    const nameEnd = at + ENTRY_BYTES + tail.readUInt16LE(at + NAME_LENGTH_AT);
    names.push(tail.toString('latin1', at + ENTRY_BYTES, nameEnd));
    const next = nameEnd + tail.readUInt16LE(at + EXTRA_LENGTH_AT) + tail.readUInt16LE(at + COMMENT_LENGTH_AT);
    at = tail.indexOf(ENTRY, next);
  }
  return names;
}

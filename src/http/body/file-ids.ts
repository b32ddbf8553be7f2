const FILE_ID = 'file_id';
/** A letter of `file_id` that is written as an escape. */
const ESCAPED_LETTER = /\\u00(?:6[4569c]|5f)/i;
const ESCAPE = Buffer.from('\\u00');

/** Whether a JSON text may have a member `file_id`, also one that JSON.parse does not show: the first of two. */
export const mentionsFileIds = (bytes: Buffer): boolean =>
  bytes.includes(FILE_ID) || (bytes.includes(ESCAPE) && ESCAPED_LETTER.test(bytes.toString('latin1')));

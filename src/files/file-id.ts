import { isUuid } from '../kernel/ids.js';

const PREFIX = 'file-';

export const toFileId = (id: string): string => PREFIX + id;

/** The stored id of a public id; undefined if the text is not a public id. */
export function parseFileId(text: string): string | undefined {
  const id = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '';
  return isUuid(id) ? id.toLowerCase() : undefined;
}

import { randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Any RFC 9562 textual UUID, in either case. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** A version 7 UUID: its first 48 bits are milliseconds, so ids sort by time. */
export function newId(atMs: number = Date.now()): string {
  const time = atMs.toString(16).padStart(12, '0');
  // Overwrites the time and the version of a random version 4 UUID, because Node caches random bytes for randomUUID().
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** The creation time in a version 7 UUID. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

const GENERATION_PREFIX = 'gen-';

/** The public form of a generation's id, as in X-Generation-Id. */
export const toGenerationId = (id: string): string => `${GENERATION_PREFIX}${id}`;

/** The stored id for a public generation id; undefined for other texts. */
export function parseGenerationId(text: string): string | undefined {
  if (!text.startsWith(GENERATION_PREFIX)) return undefined;
  const id = text.slice(GENERATION_PREFIX.length);
  return isUuid(id) ? id.toLowerCase() : undefined;
}

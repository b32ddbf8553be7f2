import { randomBytes } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Any RFC 9562 textual UUID, in either case. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** A version 7 UUID: its first 48 bits are milliseconds, so ids sort by time and tell it. */
export function newId(atMs: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(atMs, 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The time a version 7 UUID was made at. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

const GENERATION_PREFIX = 'gen-';

/** The public form of a generation's id, as X-Generation-Id carries it. */
export const toGenerationId = (id: string): string => `${GENERATION_PREFIX}${id}`;

/** The stored id behind a public generation id; undefined where the text is none. */
export function parseGenerationId(text: string): string | undefined {
  if (!text.startsWith(GENERATION_PREFIX)) return undefined;
  const id = text.slice(GENERATION_PREFIX.length);
  return isUuid(id) ? id.toLowerCase() : undefined;
}

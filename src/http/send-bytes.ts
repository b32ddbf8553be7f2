import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a body as it comes, as fast as its reader takes it. One that fails is cut off: the caller sees an answer without an end. */
export async function sendBytes(response: Response, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(Readable.from(bytes), response);
}

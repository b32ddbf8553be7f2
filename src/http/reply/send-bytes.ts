import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { GatewayError } from '../../kernel/errors/errors.js';

/**
 * Streams a body with backpressure. If the source fails, closes the connection before the end of the response and
 * throws the source's error. Throws caller_gone if the caller disconnects.
 */
export async function sendBytes(response: Response, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await pipeline(Readable.from(bytes), response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    throw new GatewayError('caller_gone', 'The caller disconnected before the end of its response', { cause: error });
  }
}

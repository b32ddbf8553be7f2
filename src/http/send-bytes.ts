import type { Response } from 'express';
import { drained } from './event-stream.js';

/**
 * Writes a body as it comes, waiting where the reader is slow. The first chunk is always asked for, so that a body made by
 * a generator gets to run and to end even when the caller has left already. A body that fails cuts the connection.
 */
export async function sendBytes(response: Response, body: AsyncGenerator<Uint8Array, void, undefined>): Promise<void> {
  try {
    for await (const chunk of body) {
      if (response.destroyed) return;
      if (!response.write(chunk)) await drained(response);
    }
    response.end();
  } catch {
    // The billing knows of it; the caller sees it as an answer without an end.
    response.destroy();
  }
}

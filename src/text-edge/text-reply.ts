import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import type { ByteOutlet } from '../kernel/byte-outlet.js';
import { stackOf } from '../kernel/errors/errors.js';
import { adjustedHeader } from '../http/reply/adjusted.header.js';
import { asGatewayError } from '../http/errors/error-envelope.js';
import { EventOutlet } from '../http/reply/event-outlet.js';

const log = new Logger('http');

/** A complete response of text, as JSON. */
export interface CompleteText {
  readonly content: string;
  readonly generationId: string;
}

/** A stream that has begun. */
export interface DeliverableStream {
  deliver(outlet: ByteOutlet): Promise<void>;
}

/** Sends a complete response. */
export function sendCompletion(response: Response, { content, generationId }: CompleteText): void {
  response.writeHead(200, {
    'x-generation-id': generationId,
    ...adjustedHeader(),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(content),
  });
  // Node writes a string together with the headers, in one call.
  response.end(content);
}

/**
 * Sends a stream as it comes. A failure before its first byte gets a status, a later one is its last event: `failing`
 * writes it where the call has not begun.
 */
export async function sendStream(
  response: Response,
  start: () => Promise<DeliverableStream>,
  failing: (error: unknown) => Uint8Array,
): Promise<void> {
  const outlet = new EventOutlet(response);
  let stream: DeliverableStream;
  try {
    stream = await start();
  } catch (thrown) {
    if (!outlet.begun) {
      outlet.release();
      throw thrown;
    }
    const error = asGatewayError(thrown);
    if (!error) log.error(`A stream that had begun failed: ${stackOf(thrown)}`);
    outlet.end(failing(error));
    return;
  }
  try {
    await stream.deliver(outlet);
  } finally {
    outlet.release();
  }
}

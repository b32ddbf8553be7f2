import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { sendJsonPieces } from '../../http/body/body-pieces.js';
import { asGatewayError, toEnvelope } from '../../http/errors/error-envelope.js';
import { EventOutlet } from '../../http/reply/event-outlet.js';
import type { PreviewSink } from '../../inference/capabilities/image.js';
import { stackOf } from '../../kernel/errors/errors.js';
import {
  toCompletedEvents,
  toImageResponse,
  toPreviewEvent,
  type ImageOperation,
  type LinkedImageResult,
} from './images.wire.js';

const KEEP_ALIVE = { comment: ': keep-alive\n\n', afterMs: 15_000 };
const DONE = 'data: [DONE]\n\n';

const log = new Logger('http');

/**
 * Sends JSON, or events if the caller requested a stream and the endpoint supports it. A failure before the stream
 * begins is thrown, and is sent as an HTTP error response; a later failure is sent as an event.
 */
export async function replyWithImages(
  response: Response,
  wantsStream: boolean,
  generate: (sink?: PreviewSink) => Promise<LinkedImageResult>,
  operation: ImageOperation = 'image_generation',
): Promise<void> {
  let events: EventOutlet | undefined;
  const outlet = (): EventOutlet => (events ??= new EventOutlet(response, KEEP_ALIVE));
  const begin = (generationId: string): void => {
    if (!events) response.setHeader('x-generation-id', generationId);
    outlet();
  };
  const sink: PreviewSink = { begin, show: (preview) => outlet().writeEvent(toPreviewEvent(operation, preview)) };
  try {
    const result = await generate(wantsStream ? sink : undefined);
    if (!result.streamed)
      return sendJsonPieces(response, { 'x-generation-id': result.generationId }, toImageResponse(result, Date.now()));
    for (const event of toCompletedEvents(operation, result, Date.now())) await outlet().writeEvent(event);
    outlet().end(DONE);
  } catch (error) {
    if (!events) throw error;
    events.end(`data: ${JSON.stringify(failure(error))}\n\n${DONE}`);
  }
}

/** The error event of a stream that has started (docs/api-rules.md, section 3). */
function failure(thrown: unknown): object {
  const error = asGatewayError(thrown);
  if (!error || error.kind === 'internal') log.error(`A stream failed after it had started: ${stackOf(thrown)}`);
  const { status, body } = toEnvelope(error);
  // `code` is a number in the envelope, but clients of image streams expect a string or null.
  return {
    type: 'error',
    error: { message: body.error.message, code: String(status), param: null, type: error?.kind ?? 'internal' },
  };
}

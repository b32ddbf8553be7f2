import type { Response } from 'express';
import { sendJsonPieces } from '../../http/body/body-pieces.js';
import { EventStream } from '../../http/reply/event-stream.js';
import type { PreviewSink } from '../../inference/capabilities/image.js';
import {
  toCompletedEvents,
  toImageResponse,
  toPreviewEvent,
  type ImageOperation,
  type LinkedImageResult,
} from './images.wire.js';

/** Sends JSON, or events if the caller requested a stream and the endpoint supports it. */
export async function replyWithImages(
  response: Response,
  wantsStream: boolean,
  generate: (sink?: PreviewSink) => Promise<LinkedImageResult>,
  operation: ImageOperation = 'image_generation',
): Promise<void> {
  const events = new EventStream(response);
  const begin = (generationId: string): void => {
    if (!events.begun) response.setHeader('x-generation-id', generationId);
    events.begin();
  };
  const sink: PreviewSink = { begin, show: (preview) => events.send(toPreviewEvent(operation, preview)) };
  try {
    const result = await generate(wantsStream ? sink : undefined);
    if (!result.streamed)
      return sendJsonPieces(response, { 'x-generation-id': result.generationId }, toImageResponse(result, Date.now()));
    for (const event of toCompletedEvents(operation, result, Date.now())) await events.send(event);
    events.end();
  } catch (error) {
    if (!events.begun) throw error;
    events.fail(error);
  }
}

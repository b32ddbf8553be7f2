import type { Response } from 'express';
import { sendJsonPieces } from '../../http/body-pieces.js';
import { EventStream } from '../../http/event-stream.js';
import type { ImageResult, PreviewSink } from '../../inference/image-inference.js';
import { toCompletedEvents, toImageResponse, toPreviewEvent } from './images.wire.js';

/** Answers as JSON, or as events where the caller asked for a stream and the endpoint streams. */
export async function replyWithImages(
  response: Response,
  wantsStream: boolean,
  generate: (sink?: PreviewSink) => Promise<ImageResult>,
): Promise<void> {
  const events = new EventStream(response);
  const begin = (generationId: string): void => {
    if (!events.begun) response.setHeader('x-generation-id', generationId);
    events.begin();
  };
  const sink: PreviewSink = { begin, show: (preview) => events.send(toPreviewEvent(preview)) };
  try {
    const result = await generate(wantsStream ? sink : undefined);
    if (!result.streamed)
      return sendJsonPieces(response, { 'x-generation-id': result.generationId }, toImageResponse(result, Date.now()));
    for (const event of toCompletedEvents(result, Date.now())) await events.send(event);
    events.end();
  } catch (error) {
    if (!events.begun) throw error;
    events.fail(error);
  }
}

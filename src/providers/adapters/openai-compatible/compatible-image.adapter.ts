import {
  ImageAdapter,
  type GeneratedImage,
  type ImageAnswer,
  type ImageCall,
  type ShowPreview,
} from '../../spec/image-adapter.port.js';
import { EventLines } from '../../wire/event-lines.js';
import type { VendorAnswer } from '../../wire/vendor-answer.js';
import { badAnswer } from '../../wire/vendor-fault.js';
import type { CompatibleEndpoint } from './compatible-endpoint.js';
import { ImageDocument, mediaTypeOf } from './image-document.js';
import { readImageEvent, type VendorImageEvent } from './image-event.js';
import { editForm, imageFields } from './image-request-body.js';
import { addUsage, readUsage } from './reported-usage.js';

/** A picture of 4096 pixels a side of pure noise, as PNG in base64; ten of them never are. */
const MOST_PICTURE_BYTES = 100_663_296;
const MOST_ANSWER_BYTES = 536_870_912;
const capOf = ({ n }: ImageCall): number => Math.min(n * MOST_PICTURE_BYTES, MOST_ANSWER_BYTES);

/** Pictures from any vendor of this protocol: `/images/generations`, and `/images/edits` where there are references. */
export class CompatibleImageAdapter extends ImageAdapter {
  readonly name = 'openai-compatible';

  constructor(private readonly endpoint: CompatibleEndpoint) {
    super();
  }

  async generate(call: ImageCall): Promise<ImageAnswer> {
    return wholeAnswer(await this.#post(call, false), call);
  }

  /** A plain callback and no iterator: a turn of the microtask queue for each event cost more than reading it (docs/performance.md). */
  override async stream(call: ImageCall, show: ShowPreview): Promise<ImageAnswer> {
    const answer = await this.#post(call, true);
    // A vendor that does not stream this model answers as a whole.
    if (answer.contentType !== 'text/event-stream') return wholeAnswer(answer, call);
    const lines = new EventLines();
    const finished: VendorImageEvent[] = [];
    await answer.each((chunk) => {
      let wait: Promise<void> | undefined;
      for (const data of lines.push(chunk)) {
        if (data.toString('latin1', 0, 6) === '[DONE]') continue;
        const event = readImageEvent(data);
        if (event.type === 'error' || event.hasError) throw badAnswer('broke off with an error');
        if (event.type.endsWith('.partial_image') && event.b64)
          wait = show({ type: 'partial', index: event.index, b64: [event.b64] }) ?? wait;
        else if (event.type.endsWith('.completed')) finished.push(event);
      }
      if (finished.length >= call.n) answer.discard();
      return wait;
    });
    return checked(answerOf(finished, call), call);
  }

  #post(call: ImageCall, streamed: boolean): Promise<VendorAnswer> {
    const vendor = this.endpoint.vendorOf(call);
    const fields = imageFields(call, vendor, streamed);
    if (call.references.length === 0)
      return this.endpoint.post(call, vendor, '/images/generations', 'application/json', JSON.stringify(fields));
    const form = editForm(fields, call);
    return this.endpoint.post(call, vendor, '/images/edits', form.contentType, form.body);
  }
}

async function wholeAnswer(answer: VendorAnswer, call: ImageCall): Promise<ImageAnswer> {
  const document = new ImageDocument();
  await answer.whole(capOf(call), (chunk) => document.push(chunk));
  return checked(document.answer(call.format), call);
}

function answerOf(finished: readonly VendorImageEvent[], call: ImageCall): ImageAnswer {
  if (finished.length === 0) throw badAnswer('ended before its image was complete');
  const images = finished.map((event): GeneratedImage => {
    if (!event.b64 || event.b64.length === 0) throw badAnswer('holds no image');
    const mediaType = mediaTypeOf(event.format ?? call.format);
    return { b64: [event.b64], ...(mediaType ? { mediaType } : {}) };
  });
  const usage = finished.map((event) => (event.usage === undefined ? undefined : readUsage(event.usage)));
  return { created: finished[0]!.created, images, usage: usage.reduce(addUsage, undefined) };
}

/** Where the price follows from the vendor's count, an answer without one cannot be billed: it is not whole. */
function checked(answer: ImageAnswer, call: ImageCall): ImageAnswer {
  if (call.needsUsage && !(answer.usage?.completionTokens !== undefined && answer.usage.promptTokens !== undefined))
    throw badAnswer('ended without its usage');
  return answer;
}

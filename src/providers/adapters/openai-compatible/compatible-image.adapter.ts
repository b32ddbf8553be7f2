import {
  ImageAdapter,
  type GeneratedImage,
  type ImageResponse,
  type ImageCall,
  type ShowPreview,
} from '../../ports/image-adapter.port.js';
import { checkedBase64 } from '../../wire/base64-text.js';
import { EventLines } from '../../wire/event-lines.js';
import type { VendorResponse } from '../../wire/vendor-response.js';
import { badResponse } from '../../../formats/bad-response.js';
import type { CompatibleEndpoint } from './compatible-endpoint.js';
import { ImageDocument, mediaTypeInDocument } from './image-document.js';
import { readImageEvent, type VendorImageEvent } from './image-event.js';
import { editForm, imageFields } from './image-request-body.js';
import { addUsage, reportedUsage } from './reported-usage.js';

/** The size of 4096 × 4096 pixels of noise as PNG in base64. MAX_RESPONSE_BYTES is less than ten such pictures. */
const MAX_PICTURE_BYTES = 100_663_296;
const MAX_RESPONSE_BYTES = 536_870_912;
const capOf = ({ n }: ImageCall): number => Math.min(n * MAX_PICTURE_BYTES, MAX_RESPONSE_BYTES);

/** Images from any OpenAI-compatible vendor: `/images/generations`, or `/images/edits` if there are references. */
export class CompatibleImageAdapter extends ImageAdapter {
  readonly name = 'openai-compatible';

  constructor(private readonly endpoint: CompatibleEndpoint) {
    super(endpoint);
  }

  async generate(call: ImageCall): Promise<ImageResponse> {
    return readWhole(await this.#post(call, false), call);
  }

  /**
   * Uses a callback instead of an iterator, because a microtask for each event took longer than parsing the event
   * (docs/performance.md).
   */
  override async stream(call: ImageCall, show: ShowPreview): Promise<ImageResponse> {
    const response = await this.#post(call, true);
    // A vendor that does not stream this model sends one JSON document.
    if (response.contentType !== 'text/event-stream') return readWhole(response, call);
    const lines = new EventLines();
    const finished: VendorImageEvent[] = [];
    await response.each((chunk) => {
      let wait: Promise<void> | undefined;
      for (const data of lines.push(chunk)) {
        if (data.toString('latin1', 0, 6) === '[DONE]') continue;
        const event = readImageEvent(data);
        if (event.type === 'error' || event.hasError) throw badResponse('ended with an error');
        if (event.type.endsWith('.partial_image') && event.b64)
          wait = show({ type: 'partial', index: event.index, b64: checkedBase64([event.b64]) }) ?? wait;
        else if (event.type.endsWith('.completed')) finished.push(event);
      }
      if (finished.length >= call.n) response.discard();
      return wait;
    });
    return responseOf(finished, call);
  }

  #post(call: ImageCall, streamed: boolean): Promise<VendorResponse> {
    const vendor = this.endpoint.vendorOf(call);
    const fields = imageFields(call, vendor, streamed);
    return this.endpoint.send(
      call,
      vendor,
      call.references.length === 0
        ? { path: '/images/generations', body: JSON.stringify(fields) }
        : { path: '/images/edits', ...editForm(fields, call) },
    );
  }
}

async function readWhole(response: VendorResponse, call: ImageCall): Promise<ImageResponse> {
  const document = new ImageDocument();
  await response.whole(capOf(call), (chunk) => document.push(chunk));
  return document.response(call.format);
}

function responseOf(finished: readonly VendorImageEvent[], call: ImageCall): ImageResponse {
  if (finished.length === 0) throw badResponse('ended before its image was complete');
  const images = finished.map((event): GeneratedImage => {
    if (!event.b64 || event.b64.length === 0) throw badResponse('holds no image');
    const mediaType = mediaTypeInDocument(event.format ?? call.format);
    return { b64: checkedBase64([event.b64]), ...(mediaType ? { mediaType } : {}) };
  });
  const usage = finished.map((event) => reportedUsage(event.usage));
  return { created: finished[0]!.created, images, usage: usage.reduce(addUsage, undefined) };
}

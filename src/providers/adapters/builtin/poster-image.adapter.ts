import { type Picture, compose, type PosterComposition, rasterise, type RasterFormat } from '@gatehouse/builtin-models';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatewayError } from '../../../kernel/errors/errors.js';
import { KeyedSemaphore } from './keyed-semaphore.js';
import { Semaphore } from '../../../kernel/scheduling/semaphore.js';
import {
  ImageAdapter,
  type GeneratedImage,
  type ImageResponse,
  type ImageCall,
  type ImageFormat,
  type ShowPreview,
} from '../../ports/image-adapter.port.js';
import { orderOf, type Order } from './poster-order.js';
import { readReference } from './reference-pictures.js';

const MEDIA_TYPES: Readonly<Record<ImageFormat, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  svg: 'image/svg+xml',
};

const PREVIEW_SIDE_PIXELS = 512;
const TEXT_CHUNK_CHARACTERS = 4096;

/**
 * Draws posters from prompt and seed by fixed rules, without an AI model. Equal seeds and requests produce equal bytes;
 * without a seed each call differs. Uses no network, no credential and no fonts of the host. Throws invalid_request
 * for values that `orderOf` refuses and for references that cannot be read. A caller's key has one render at a time, so
 * that it cannot occupy all slots.
 */
export class PosterImageAdapter extends ImageAdapter {
  readonly name = 'builtin-poster';
  private readonly slots: Semaphore;
  private readonly ofKey = new KeyedSemaphore();

  constructor(concurrentRenders = 2) {
    super();
    this.slots = new Semaphore(concurrentRenders);
  }

  generate(call: ImageCall): Promise<ImageResponse<string>> {
    return this.guarded(call, async () => {
      const order = orderOf(call);
      const pictures = await this.references(call, order);
      const images: GeneratedImage<string>[] = [];
      for (let index = 0; index < order.n; index++)
        images.push(await this.finished(order, await composedInTurn(order, index, pictures)));
      return { images };
    });
  }

  /**
   * Emits three previews of each picture: the ground, the figures, and the whole picture. Their indexes are consecutive
   * over all pictures. For SVG, emits pieces of markup instead.
   */
  override async stream(call: ImageCall, show: ShowPreview<string>): Promise<ImageResponse<string>> {
    const order = await this.guarded(call, async () => orderOf(call));
    const pictures = await this.guarded(call, () => this.references(call, order));
    const { format } = order;
    const images: GeneratedImage<string>[] = [];
    let previews = 0;
    for (let index = 0; index < order.n; index++) {
      const composition = await this.guarded(call, () => composedInTurn(order, index, pictures));
      if (format === 'svg') {
        const markup = composition.svg('whole');
        for (let at = 0; at < markup.length; at += TEXT_CHUNK_CHARACTERS) {
          await this.guarded(call, async () => undefined);
          await show({ type: 'text_chunk', text: markup.slice(at, at + TEXT_CHUNK_CHARACTERS) });
        }
      } else {
        for (const step of PREVIEWS) {
          await show({
            type: 'partial',
            index: previews++,
            b64: await this.guarded(call, () => this.preview(order, format, composition, step)),
          });
        }
      }
      images.push(await this.guarded(call, () => this.finished(order, composition)));
    }
    return { images };
  }

  private async references(call: ImageCall, order: Order): Promise<readonly Picture[]> {
    const longest = Math.round(
      Math.min(1600, Math.max(order.width, order.height) / Math.max(1, Math.sqrt(call.references.length))),
    );
    const pictures: Picture[] = [];
    for (const [index, reference] of call.references.entries())
      pictures.push(await this.render(order, () => readReference(reference, index, longest)));
    return pictures;
  }

  private async finished(order: Order, composition: PosterComposition): Promise<GeneratedImage<string>> {
    const { format } = order;
    const svg = (): string => composition.svg('whole');
    const bytes =
      format === 'svg'
        ? Buffer.from(svg(), 'utf8')
        : await this.render(order, () => rasterise({ ...order, format, svg: svg(), paper: composition.paper }));
    order.signal.throwIfAborted();
    return { b64: bytes.toString('base64'), mediaType: MEDIA_TYPES[format] };
  }

  private async preview(
    order: Order,
    format: RasterFormat,
    composition: PosterComposition,
    step: (typeof PREVIEWS)[number],
  ): Promise<string> {
    const scale = Math.min(1, (PREVIEW_SIDE_PIXELS * step.scale) / Math.max(order.width, order.height));
    const size = {
      width: Math.max(1, Math.round(order.width * scale)),
      height: Math.max(1, Math.round(order.height * scale)),
    };
    // A transparent picture has no ground, so its first preview would be empty. Draw the figures instead.
    const progress = order.transparent && step.progress === 'ground' ? 'figures' : step.progress;
    const blur = order.transparent ? undefined : step.blur;
    const bytes = await this.render(order, () =>
      rasterise({
        ...order,
        ...size,
        svg: composition.svg(progress, size),
        format,
        compression: 70,
        paper: composition.paper,
        blur,
      }),
    );
    return bytes.toString('base64');
  }

  private render<T>({ callerKey, signal }: Order, work: () => Promise<T>): Promise<T> {
    const inSlot = (): Promise<T> => this.slots.run(signal, work);
    return callerKey === undefined ? inSlot() : this.ofKey.run(callerKey, signal, inSlot);
  }

  /**
   * Runs one step, unless the call was aborted. A GatewayError is thrown unchanged; any other error is converted to
   * provider_failed, or to caller_gone after an abort.
   */
  private async guarded<T>(call: ImageCall, work: () => Promise<T>): Promise<T> {
    try {
      call.signal.throwIfAborted();
      return await work();
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      if (call.signal.aborted)
        throw call.signal.reason instanceof GatewayError
          ? call.signal.reason
          : new GatewayError('caller_gone', 'The image call was aborted.', { cause: error });
      throw new GatewayError('provider_failed', 'The built-in image generator could not draw this image.', {
        cause: error,
      });
    }
  }
}

const PREVIEWS = [
  { progress: 'ground', scale: 0.5, blur: 0.02 },
  { progress: 'figures', scale: 0.75, blur: undefined },
  { progress: 'whole', scale: 1, blur: undefined },
] as const;

/** Composing a picture takes some milliseconds, so other work runs between two pictures. */
async function composedInTurn(order: Order, index: number, pictures: readonly Picture[]): Promise<PosterComposition> {
  if (index > 0) await nextTurn();
  return compose({ ...order, index, pictures });
}

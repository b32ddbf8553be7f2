import { Injectable } from '@nestjs/common';
import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { priceOf, type Quantity } from '../../catalogue/price.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import type {
  ImageResponse,
  ImageCall,
  ImagePreview,
  ReferenceImage,
  ShowPreview,
} from '../../providers/ports/image-adapter.port.js';
import { AdapterRegistry } from '../adapter-registry.js';
import { InferencePipeline, type BilledResponse } from '../call.js';
import type {
  Attempt,
  Charge,
  CompleteResponse,
  InferenceContext,
  ResponseEnd,
  Task,
  TokenCounts,
  Usage,
} from '../task.js';
import { TokenCounter } from '../text/token-counter.js';
import { chargeByLines, maxTokensOf, type PreparedByLines } from '../usage-judgement.js';
import {
  adaptTo,
  assertConsistent,
  unsupportedReason,
  withEndUser,
  type AdaptedImageRequest,
  type ImageRequest,
} from './image-request.js';
import { RequestTask } from './request-task.js';
import { loadReferences } from '../images/reference-images.js';

/** Receives previews if the caller requested a stream. */
export interface PreviewSink {
  /** Called when a streaming endpoint has accepted the call, before each preview and before the response. */
  begin(generationId: string): void;
  /** Returns undefined if the next preview can be shown immediately. */
  show(preview: ImagePreview): Promise<void> | undefined;
}

export type ImageResult = BilledResponse<ImageResponse>;

/** Generates images, completely or not at all. A call is settled when the vendor's complete response is in memory. */
@Injectable()
export class ImageInference {
  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly adapters: AdapterRegistry,
    private readonly counter: TokenCounter,
  ) {}

  async generate(request: ImageRequest, context: InferenceContext, sink?: PreviewSink): Promise<ImageResult> {
    assertConsistent(request);
    const ofEndUser = withEndUser(request, context);
    return this.pipeline.complete(new ImageTask(ofEndUser, this.adapters, this.counter, sink), context);
  }
}

interface PreparedImage extends PreparedByLines {
  readonly request: AdaptedImageRequest;
}

type CompleteImages = CompleteResponse<ImageResponse>;

class ImageTask extends RequestTask<ImageRequest> implements Task<CompleteImages, PreparedImage> {
  readonly capability = 'image';
  readonly wantsStream: boolean;
  isCommitted = false;
  #hasPreviews = false;
  #references: readonly ReferenceImage[] = [];

  constructor(
    request: ImageRequest,
    adapters: AdapterRegistry,
    counter: TokenCounter,
    private readonly sink: PreviewSink | undefined,
  ) {
    super(request, adapters, counter);
    this.wantsStream = sink !== undefined;
  }

  promptMembers(): { readonly prompt: string } {
    return this.request;
  }

  unsupportedReason(endpoint: CatalogueEndpoint): string | undefined {
    return unsupportedReason(this.request, endpoint);
  }

  prepare(endpoint: CatalogueEndpoint): PreparedImage {
    const request = adaptTo(endpoint, this.request);
    const tokens = maxImageTokens(request, endpoint, this.wantsStream);
    return {
      request,
      maxUsage: { images: request.n, tokens },
      worstCase: priceOf(endpoint.pricing, imageQuantities(request, request.n, tokens)),
    };
  }

  load(signal: AbortSignal): Promise<void> | undefined {
    const { references } = this.request;
    if (references.length === 0) return undefined;
    return loadReferences(references, this.adapters.references, signal).then(
      (loaded) => void (this.#references = loaded),
    );
  }

  async invoke(attempt: Attempt<PreparedImage>): Promise<CompleteImages> {
    const { endpoint, prepared } = attempt.planned;
    // The plan contains only endpoints whose adapter is registered.
    const adapter = this.adapters.image.get(endpoint.adapter!)!;
    const call: ImageCall = { ...attempt.endpointCall, ...prepared.request, references: this.#references };
    const streamed = this.sink !== undefined && endpoint.supportsStreaming && adapter.stream !== undefined;
    const response = streamed
      ? await this.#stream((show) => adapter.stream!(call, show), attempt, this.sink)
      : await adapter.generate(call);
    attempt.firstByte();
    // `n` limits both the returned images and the billed images.
    const images = response.images.slice(0, call.n);
    if (images.length === 0) throw new GatewayError('provider_failed', 'The provider returned no image');
    return { content: { ...response, images }, output: { images: images.length }, streamed };
  }

  charge(
    attempt: Attempt<PreparedImage>,
    response: CompleteImages,
    { excessFactor }: ResponseEnd,
  ): Charge | Promise<Charge> {
    const { endpoint, prepared } = attempt.planned;
    const { request } = prepared;
    return chargeByLines(attempt, {
      output: response.output,
      reported: response.content.usage,
      quantities: ({ images = 0, tokens }: Usage) => imageQuantities(request, images, tokens),
      excessFactor,
      counted: async () => {
        const { tokens: prompt } = await this.counter.count([request.prompt]);
        const { images = 0 } = response.output;
        return { tokens: imageTokens(request, endpoint, { prompt, images, hasPreviews: this.#hasPreviews }) };
      },
    });
  }

  /** Streams the previews. The first event commits the call to its endpoint. */
  async #stream(
    stream: (show: ShowPreview) => Promise<ImageResponse>,
    attempt: Attempt,
    sink: PreviewSink,
  ): Promise<ImageResponse> {
    const begin = (): void => {
      attempt.firstByte();
      this.isCommitted = true;
      sink.begin(attempt.generationId);
    };
    const response = await stream((preview) => {
      begin();
      this.#hasPreviews = true;
      return sink.show(preview);
    });
    begin();
    return response;
  }
}

/** Maximum tokens of a request. `streamed`: with previews, which vendors count as output. */
export const maxImageTokens = (
  request: AdaptedImageRequest,
  endpoint: CatalogueEndpoint,
  streamed: boolean,
): TokenCounts =>
  imageTokens(request, endpoint, { prompt: maxTokensOf(request.prompt), images: request.n, hasPreviews: streamed });

/**
 * The tokens of a text and of pictures. The tokens of pictures are the maximum in the catalogue for their quality and
 * size.
 */
function imageTokens(
  request: AdaptedImageRequest,
  { maxTokens }: CatalogueEndpoint,
  { prompt, images, hasPreviews }: { readonly prompt: number; readonly images: number; readonly hasPreviews: boolean },
): TokenCounts {
  const perImage = Math.max(0, ...perImageTokens(request, maxTokens?.perImage ?? {}));
  const previews = hasPreviews ? (maxTokens?.previews ?? 0) : 0;
  const promptImage = request.references.length * (maxTokens?.perReference ?? 0);
  return { prompt: prompt + promptImage, promptImage, completion: images * perImage + previews };
}

/** The quantities by which images are priced, with the used tokens. */
export function imageQuantities(
  request: AdaptedImageRequest,
  images: number,
  { prompt, promptImage, completion }: TokenCounts,
): Quantity[] {
  // If the vendor reports no separate tokens of pictures, all tokens of a prompt with pictures are priced as pictures,
  // which cost more.
  const pictures = Math.min(prompt, promptImage ?? (request.references.length > 0 ? prompt : 0));
  return [
    ...byThePiece(request, images),
    { billable: 'input_text', unit: 'token', amount: prompt - pictures },
    { billable: 'input_image', unit: 'token', amount: pictures },
    { billable: 'output_image', unit: 'token', amount: completion },
  ];
}

function byThePiece(request: AdaptedImageRequest, images: number): Quantity[] {
  const pixels = (request.width ?? 1024) * (request.height ?? 1024);
  const variants = variantsOf(request);
  return [
    { billable: 'output_image', unit: 'image', amount: images, variants },
    { billable: 'output_image', unit: 'megapixel', amount: images * pixels, perMillion: true, variants },
    { billable: 'input_reference', unit: 'image', amount: request.references.length },
    { billable: 'input_image', unit: 'image', amount: request.references.length },
  ];
}

/** The properties that can restrict a price line: quality, tier (default: 1K if there are no pixels), pixels. */
function variantsOf({ quality, resolution, width, height }: AdaptedImageRequest): string[] {
  const pixels = width !== undefined && height !== undefined ? `${width}x${height}` : undefined;
  return [quality, resolution ?? (pixels === undefined ? '1K' : undefined), pixels].filter(
    (word) => word !== undefined,
  );
}

/**
 * The possible numbers of tokens of one image of the requested quality and size. If the quality is not requested or not
 * in the table, the vendor chooses it, so the result has the numbers of all qualities. The same applies to the size.
 */
function perImageTokens(
  request: AdaptedImageRequest,
  table: Readonly<Record<string, Readonly<Record<string, number>>>>,
): number[] {
  const qualities =
    request.quality !== undefined && table[request.quality] ? [table[request.quality]!] : Object.values(table);
  const size =
    request.width !== undefined && request.height !== undefined ? `${request.width}x${request.height}` : undefined;
  return qualities.flatMap((sizes) =>
    size !== undefined && sizes[size] !== undefined ? [sizes[size]] : Object.values(sizes),
  );
}

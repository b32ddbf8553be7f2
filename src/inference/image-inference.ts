import { Injectable } from '@nestjs/common';
import type { Bill } from '../billing/open-call.js';
import { Spending, type Completed } from '../billing/spending.js';
import { GatewayError } from '../kernel/errors.js';
import { toGenerationId } from '../kernel/ids.js';
import type { Nano } from '../kernel/money.js';
import { priceOf } from '../kernel/price.js';
import type {
  ImageAnswer,
  ImageCall,
  ImagePreview,
  ReferenceImage,
  ShowPreview,
} from '../providers/spec/image-adapter.port.js';
import { AdapterRegistry } from './adapter-registry.js';
import { Attempts, type Try } from './attempts.js';
import { CallRecorder, type CallRecord } from './call-recorder.js';
import { imageQuantities, mostImageQuantities } from './image-quantities.js';
import { fit, misfit, refuseContradictions, type FittedRequest, type ImageRequest } from './image-request.js';
import type { InferenceContext } from './inference-context.js';
import { loadReferences } from './reference-images.js';
import { RoutePlanner } from './route-planner.js';
import { isPricedByTokens } from './token-pricing.js';

/** Previews, as they are made. The first one commits the call to its endpoint. */
export type Preview = ImagePreview;

/** Where previews go when the caller asked for a stream. */
export interface PreviewSink {
  /** A streaming endpoint has taken the call. */
  begin(generationId: string): void;
  /** Undefined where the next may follow at once. */
  show(preview: Preview): Promise<void> | undefined;
}

export interface ImageResult {
  readonly generationId: string;
  readonly answer: ImageAnswer;
  /** What the caller is charged. */
  readonly cost: Nano;
  /** What the provider charges whoever's credential it was. */
  readonly upstreamCost: Nano;
  readonly isByok: boolean;
  /** Whether an endpoint streamed it into the sink. */
  readonly streamed: boolean;
}

/** One billed call that makes pictures: all or nothing, settled when the vendor's complete answer is held. */
@Injectable()
export class ImageInference {
  constructor(
    private readonly planner: RoutePlanner,
    private readonly adapters: AdapterRegistry,
    private readonly spending: Spending,
    private readonly recorder: CallRecorder,
    private readonly attempts: Attempts,
  ) {}

  async generate(request: ImageRequest, context: InferenceContext, sink?: PreviewSink): Promise<ImageResult> {
    refuseContradictions(request);
    const planned = this.planner.plan({
      model: request.model,
      capability: 'image',
      caller: context.caller,
      preferences: request.preferences,
      misfit: (endpoint) => misfit(request, endpoint),
      worstCase: (endpoint) =>
        priceOf(endpoint.pricing, mostImageQuantities(fit(request, endpoint), endpoint, sink !== undefined)),
    });
    // What is remembered costs no turn of the event loop.
    const plan = planned instanceof Promise ? await planned : planned;
    const opened = this.recorder.open('image', request.model, plan[0]!.endpoint.provider, context);
    const record = opened instanceof Promise ? await opened : opened;
    let shown = false;
    const watched: PreviewSink | undefined = sink && {
      begin: (generationId) => ((shown = true), sink.begin(generationId)),
      show: (preview) => sink.show(preview),
    };
    return this.spending.spend(
      context.caller,
      this.attempts.reservationOf(plan[0]!, context),
      async (call) => {
        const references = await loadReferences(request.references, this.adapters.references, context.signal);
        const work = (at: Try): Promise<Completed<ImageResult>> =>
          this.#call(call.generationId, fit(request, at.planned.endpoint), references, context, at, record, watched);
        return this.attempts.walk(call, record, plan, context, work, () => shown);
      },
      (error) => record.failed(error, sink !== undefined),
    );
  }

  async #call(
    generationId: string,
    fitted: FittedRequest,
    references: readonly ReferenceImage[],
    context: InferenceContext,
    { planned, credential, isByok, timing }: Try,
    record: CallRecord,
    sink?: PreviewSink,
  ): Promise<Completed<ImageResult>> {
    const { endpoint } = planned;
    const adapter = this.adapters.image(endpoint.adapter!);
    if (!adapter)
      throw new GatewayError('provider_failed', `The adapter ${endpoint.adapter} is not installed on this service`);
    const call: ImageCall = {
      ...fitted,
      references,
      upstreamModel: endpoint.upstreamModel,
      provider: endpoint.provider,
      package: endpoint.package,
      credential,
      options: planned.options,
      needsUsage: isPricedByTokens(endpoint),
      timeoutMs: endpoint.timeoutMs,
      signal: context.signal,
      user: context.user,
    };
    const streamed = sink !== undefined && endpoint.supportsStreaming && adapter.stream !== undefined;
    const made = streamed
      ? await streamInto(
          (show) => adapter.stream!(call, show),
          toGenerationId(generationId),
          sink,
          () => (record.firstByte(), timing.firstByte()),
        )
      : await adapter.generate(call);
    record.firstByte();
    // `n` is an upper bound, for what is answered and for what is billed by the image; tokens are told where they are priced (wire-notes section 3).
    const answer = { ...made, images: made.images.slice(0, fitted.n), usage: call.needsUsage ? made.usage : undefined };
    if (answer.images.length === 0)
      throw new GatewayError('provider_failed', 'The provider answered without any image');
    timing.finish(answer.images.length);
    const price = priceOf(endpoint.pricing, imageQuantities(fitted, answer.images.length, made.usage));
    const bill: Bill = {
      price,
      record: record.of({
        upstreamCost: price,
        status: 200,
        tokensPrompt: made.usage?.promptTokens,
        tokensCompletion: made.usage?.completionTokens,
        images: answer.images.length,
        isByok,
        streamed,
      }),
    };
    return {
      result: {
        generationId: toGenerationId(generationId),
        answer,
        cost: isByok ? 0n : price,
        upstreamCost: price,
        isByok,
        streamed,
      },
      bill,
    };
  }
}

async function streamInto(
  stream: (show: ShowPreview) => Promise<ImageAnswer>,
  generationId: string,
  sink: PreviewSink,
  onEvent: () => void,
): Promise<ImageAnswer> {
  const begin = (): void => {
    onEvent();
    sink.begin(generationId);
  };
  const answer = await stream((preview) => {
    begin();
    return sink.show(preview);
  });
  begin();
  return answer;
}

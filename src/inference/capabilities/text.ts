import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { BilledStream } from '../../billing/spending.js';
import { Config } from '../../config/config.js';
import type { TextRequest } from '../../formats/client-format.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { AdapterRegistry } from '../adapter-registry.js';
import { InferencePipeline, type BilledResponse } from '../call.js';
import { CachedCompletions } from '../response-cache/cached-completions.js';
import { CachedStreams, type StreamCall } from '../response-cache/cached-streams.js';
import type { MadeResponse } from '../response-cache/shared-response.js';
import type { Attempt, InferenceContext, Task } from '../task.js';
import { Drains } from '../text/drains.js';
import { TokenCounter } from '../text/token-counter.js';
import { TrackedStream } from '../tracked-stream.js';
import { cachedText, FREE_BILL, isCacheable, reusableBody } from './cached-text.js';
import { CompleteText, StreamedText } from './generated-text.js';
import { relayBody, relayStream, writtenBody, writtenStream, type TextBody, type TextStream } from './text-response.js';
import { textCall, type PreparedText, type TextCall } from './text-call.js';
import { TextTask } from './text-task.js';
import { vendorCount } from './vendor-count.js';

/** Generates text for any client format, with vendors of any format. */
@Injectable()
export class TextInference implements OnModuleDestroy {
  readonly #drains = new Drains();

  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly adapters: AdapterRegistry,
    private readonly counter: TokenCounter,
    private readonly completions: CachedCompletions,
    private readonly streams: CachedStreams,
    private readonly config: Config,
  ) {}

  /** Ends the calls that continue after their caller disconnected. They are billed for the output so far. */
  onModuleDestroy(): void {
    this.#drains.close();
  }

  /** The call is settled when the promise resolves. */
  async complete(request: TextRequest, context: InferenceContext): Promise<BilledResponse<string>> {
    const call = textCall(request, context, this.config.values);
    if (context.cache && this.completions.isOn && isCacheable(request)) {
      const make = (shared: InferenceContext) => this.#makeReusable(call, shared);
      return this.completions.complete({ ...cachedText(call, false), make }, context);
    }
    const result = await this.#complete(call, context);
    return { ...result, content: result.content() };
  }

  /** Resolves when the first event was received. `deliver` of the result settles the call before it sends the usage. */
  stream(request: TextRequest, context: InferenceContext): Promise<BilledStream> {
    const call = textCall(request, context, this.config.values);
    if (context.cache && this.streams.isOn && isCacheable(request)) {
      const make: StreamCall['make'] = (shared, settled) => this.#stream(call, shared, settled);
      return this.streams.stream({ ...cachedText(call, true), make }, context);
    }
    return this.#stream(call, context);
  }

  #complete(call: TextCall, context: InferenceContext): Promise<BilledResponse<CompleteText['content']>> {
    return this.pipeline.complete(new CompleteTextTask(call, this.adapters, this.counter), context);
  }

  async #makeReusable(call: TextCall, context: InferenceContext): Promise<MadeResponse<string>> {
    const result = await this.#complete(call, context);
    const free = result.content(call.request.format.usage(FREE_BILL));
    return {
      own: { ...result, content: result.content() },
      reusable: reusableBody(free, result.generationId),
    };
  }

  #stream(call: TextCall, context: InferenceContext, settled?: (free: Uint8Array) => void): Promise<BilledStream> {
    const task = new StreamTextTask(call, this.adapters, this.counter, { drains: this.#drains, settled });
    return this.pipeline.stream(task, context);
  }

  /** The number of input tokens by a vendor's own count, which is free; undefined if no vendor counts them. */
  async count(request: TextRequest, context: InferenceContext): Promise<number | undefined> {
    const call = textCall(request, context, this.config.values);
    const task = new CompleteTextTask(call, this.adapters, this.counter);
    const plan = await this.pipeline.plan(task, context.caller);
    return vendorCount(plan, request, this.adapters, context.signal, (planned) =>
      this.pipeline.openCredential(planned, context),
    );
  }
}

class CompleteTextTask extends TextTask<CompleteText> implements Task<CompleteText, PreparedText> {
  readonly wantsStream = false;

  async invoke(attempt: Attempt<PreparedText>): Promise<CompleteText> {
    const context = this.contextOf(attempt);
    const { signal } = attempt.endpointCall;
    const text = await this.call<Promise<TextBody>>(
      attempt,
      { signal, streamed: false },
      { wire: (response) => relayBody(response, context), conversation: (response) => writtenBody(response, context) },
    );
    attempt.firstByte();
    return new CompleteText(text, attempt, context.format);
  }
}

class StreamTextTask extends TextTask<StreamedText> implements Task<StreamedText, PreparedText> {
  readonly wantsStream = true;

  constructor(
    text: TextCall,
    adapters: AdapterRegistry,
    counter: TokenCounter,
    private readonly delivery: {
      readonly drains: Drains;
      readonly settled?: (free: Uint8Array) => void;
    },
  ) {
    super(text, adapters, counter);
  }

  async invoke(attempt: Attempt<PreparedText>, watchEnd: (end: Promise<void>) => void): Promise<StreamedText> {
    const context = this.contextOf(attempt);
    const { endpoint } = attempt.planned;
    const drained = this.text.drainsCancelled || this.adapterOf(endpoint).billsToTheEnd(attempt.endpointCall);
    const { signal, begin, end } = this.delivery.drains.signalFor(attempt.endpointCall.signal, drained);
    try {
      const text = await this.call<TextStream>(
        attempt,
        { signal, streamed: true },
        {
          wire: (response) => relayStream(response, context),
          conversation: (response) => writtenStream(response, context),
        },
      );
      // Wait for the first event, so that the caller still gets a status if the vendor fails before it.
      const step = await text.pieces.next();
      if (step.done) throw new GatewayError('provider_failed', 'The provider returned no text');
      attempt.firstByte();
      begin();
      const rest = new TrackedStream(text.pieces, () => false);
      rest.end.then(end, end);
      watchEnd(rest.end);
      const { settled } = this.delivery;
      return new StreamedText(text, { first: step.value, rest }, attempt, context.format, settled);
    } catch (error) {
      end();
      throw error;
    }
  }
}

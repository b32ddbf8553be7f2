import { Injectable } from '@nestjs/common';
import type { Bill } from '../billing/open-call.js';
import { Spending, type Begun, type BilledStream } from '../billing/spending.js';
import { GatewayError } from '../kernel/errors.js';
import { priceOf } from '../kernel/price.js';
import { lengthInCharacters } from '../kernel/text.js';
import { AdapterRegistry } from './adapter-registry.js';
import { Attempts, type Try } from './attempts.js';
import { EndingAudio } from './ending-audio.js';
import { CallRecorder, type CallRecord } from './call-recorder.js';
import type { InferenceContext } from './inference-context.js';
import { RoutePlanner, type PlannedEndpoint } from './route-planner.js';
import { mostSpeechQuantities, speechQuantities } from './speech-quantities.js';
import { speechMisfit, type SpeechRequest } from './speech-request.js';
import { isPricedByTokens } from './token-pricing.js';

/** Audio that has begun; `deliver` settles before its last byte. */
export type SpokenStream = BilledStream;

/** One billed call that turns text into audio. */
@Injectable()
export class SpeechInference {
  constructor(
    private readonly planner: RoutePlanner,
    private readonly adapters: AdapterRegistry,
    private readonly spending: Spending,
    private readonly recorder: CallRecorder,
    private readonly attempts: Attempts,
  ) {}

  /** Resolves when the first piece of audio is there. */
  async speak(request: SpeechRequest, context: InferenceContext): Promise<SpokenStream> {
    const characters = lengthInCharacters(request.input);
    const planned = this.planner.plan({
      model: request.model,
      capability: 'speech',
      caller: context.caller,
      preferences: request.preferences,
      misfit: (endpoint) => speechMisfit(request, characters, endpoint),
      worstCase: (endpoint, options) =>
        priceOf(endpoint.pricing, mostSpeechQuantities(textOf(request, options), characters, endpoint)),
    });
    // What is remembered costs no turn of the event loop.
    const plan = planned instanceof Promise ? await planned : planned;
    const opened = this.recorder.open('speech', request.model, plan[0]!.endpoint.provider, context);
    const record = opened instanceof Promise ? await opened : opened;
    // Awaited, for a promise that is handed on takes three turns of the queue.
    const spoken = await this.spending.spendStream(
      context.caller,
      this.attempts.reservationOf(plan[0]!, context),
      context.signal,
      (call) =>
        this.attempts.walk(call, record, plan, context, (at) => this.#begin(request, context, at, record, characters)),
      (error) => record.failed(error, true),
    );
    return spoken;
  }

  async #begin(
    request: SpeechRequest,
    context: InferenceContext,
    { planned, credential, isByok, timing, lasts }: Try,
    record: CallRecord,
    characters: number,
  ): Promise<Begun> {
    const { endpoint } = planned;
    const adapter = this.adapters.speech(endpoint.adapter!);
    if (!adapter)
      throw new GatewayError('unavailable', `The adapter ${endpoint.adapter} is not installed on this service`);
    const answer = await adapter.speak({
      upstreamModel: endpoint.upstreamModel,
      provider: endpoint.provider,
      package: endpoint.package,
      credential,
      options: planned.options,
      signal: context.signal,
      needsUsage: isPricedByTokens(endpoint),
      timeoutMs: endpoint.timeoutMs,
      input: request.input,
      voice: request.voice,
      format: request.format,
      // Used only by models that support it, ignored otherwise (specification, "Speech request").
      speed: endpoint.supportedParameters['speed'] ? request.speed : undefined,
      user: context.user,
    });
    const pieces = answer.audio[Symbol.asyncIterator]();
    // Waited for, so that a vendor that fails before it can still be answered with a status.
    let step = await pieces.next();
    while (!step.done && step.value.length === 0) step = await pieces.next();
    if (step.done) throw new GatewayError('provider_failed', 'The provider answered without any audio');
    const isComplete = answer.isComplete ?? notKnown;
    const ending = isComplete() ? undefined : new EndingAudio(pieces);
    if (ending) lasts(ending.end);
    record.firstByte();
    timing.firstByte();
    const bill = (whole: boolean): Bill => {
      if (whole) {
        timing.finish(characters);
        ending?.isRead();
      }
      const usage = answer.usage();
      // Where nothing was told of it, what it used is the most that it can have used.
      const price = usage ? priceOf(endpoint.pricing, speechQuantities(characters, usage)) : planned.worstCase;
      return {
        price,
        record: record.of({
          upstreamCost: price,
          status: 200,
          tokensPrompt: usage?.promptTokens,
          tokensCompletion: usage?.completionTokens,
          characters,
          isByok,
          streamed: true,
        }),
      };
    };
    return { first: step.value, rest: ending ?? pieces, isComplete, bill };
  }
}

/** All that the vendor gets to read, instructions in the options too. */
const textOf = (request: SpeechRequest, options: PlannedEndpoint['options']): string =>
  request.input + Object.values(options).join();

const notKnown = (): boolean => false;

import { Injectable } from '@nestjs/common';
import type { Attempt, Bill } from '../billing/open-call.js';
import { Spending, type Begun, type BilledStream } from '../billing/spending.js';
import { GatewayError, invalidRequest } from '../kernel/errors.js';
import { priceOf } from '../kernel/price.js';
import { lengthInCharacters } from '../kernel/text.js';
import { AdapterRegistry } from './adapter-registry.js';
import { Attempts } from './attempts.js';
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
    const planned = this.planner.plan(request.model, 'speech', request.preferences);
    const plan = planned.filter(({ endpoint }) => speechMisfit(request, characters, endpoint) === undefined);
    if (plan.length === 0) throw invalidRequest(speechMisfit(request, characters, planned[0]!.endpoint)!);
    const record = await this.recorder.open('speech', request.model, plan[0]!.endpoint.provider, context);
    const attemptAt = ({ endpoint, options }: PlannedEndpoint): Attempt => ({ worstCase: priceOf(endpoint.pricing, mostSpeechQuantities(textOf(request, options), characters, endpoint)), source: 'platform' });
    return this.spending.spendStream(
      context.caller,
      attemptAt(plan[0]!),
      context.signal,
      (call) => this.attempts.walk(call, record, plan, attemptAt, (planned) => this.#begin(request, context, planned, record, characters)),
      (error) => record.failed(error, true),
    );
  }

  async #begin(request: SpeechRequest, context: InferenceContext, planned: PlannedEndpoint, record: CallRecord, characters: number): Promise<Begun> {
    const { endpoint } = planned;
    const adapter = this.adapters.speech(endpoint.adapter!);
    if (!adapter) throw new GatewayError('unavailable', `The adapter ${endpoint.adapter} is not installed on this service`);
    const answer = await adapter.speak({
      upstreamModel: endpoint.upstreamModel,
      provider: endpoint.provider,
      credential: planned.credential,
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
    const rest = answer.audio[Symbol.asyncIterator]();
    const first = await firstPiece(rest);
    record.firstByte();
    const bill = (): Bill => {
      const usage = answer.usage();
      const price = priceOf(endpoint.pricing, speechQuantities(textOf(request, planned.options), characters, endpoint, usage));
      return { price, record: record.of({ upstreamCost: price, status: 200, tokensPrompt: usage?.promptTokens, tokensCompletion: usage?.completionTokens, characters, isByok: false, streamed: true }) };
    };
    return { first, rest, isComplete: answer.isComplete ?? (() => false), bill };
  }
}

/** All that the vendor gets to read, instructions in the options too. */
const textOf = (request: SpeechRequest, options: PlannedEndpoint['options']): string => request.input + Object.values(options).join();

/** Waits for the first piece, so that a vendor that fails before it can still be answered with a status. */
async function firstPiece(audio: AsyncIterator<Uint8Array, unknown>): Promise<Uint8Array> {
  for (;;) {
    const step = await audio.next();
    if (step.done) throw new GatewayError('provider_failed', 'The provider answered without any audio');
    if (step.value.length > 0) return step.value;
  }
}

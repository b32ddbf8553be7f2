import { Injectable } from '@nestjs/common';
import type { Attempt } from '../billing/open-call.js';
import { Spending, type Begun, type BilledStream } from '../billing/spending.js';
import { GatewayError, invalidRequest } from '../kernel/errors.js';
import type { Nano } from '../kernel/money.js';
import { priceOf, type Quantity } from '../kernel/price.js';
import { lengthInCharacters } from '../kernel/text.js';
import type { SpeechAnswer, SpeechFormat } from '../providers/spec/speech-adapter.port.js';
import { AdapterRegistry } from './adapter-registry.js';
import { Attempts } from './attempts.js';
import { CallRecorder, type CallRecord } from './call-recorder.js';
import type { InferenceContext, ProviderPreferences } from './inference-context.js';
import { RoutePlanner, type PlannedEndpoint } from './route-planner.js';

export interface SpeechRequest {
  readonly model: string;
  readonly input: string;
  readonly voice: string;
  readonly format: SpeechFormat;
  readonly speed?: number;
  readonly preferences: ProviderPreferences;
}

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

  /** Resolves when the first chunk of audio is there; the body settles before its last byte. */
  async speak(request: SpeechRequest, context: InferenceContext): Promise<BilledStream> {
    const characters = lengthInCharacters(request.input);
    const plan = this.planner.plan(request.model, 'speech', request.preferences);
    plan.forEach((planned) => refuseUnfit(request, characters, planned));
    const record = await this.recorder.open('speech', request.model, plan[0]!.endpoint.provider, context);
    const priceAt = (planned: PlannedEndpoint): Nano => priceOf(planned.endpoint.pricing, quantities(characters));
    const attemptAt = (planned: PlannedEndpoint): Attempt => ({ worstCase: priceAt(planned), source: 'platform' });
    return this.spending.spendStream(
      context.caller,
      attemptAt(plan[0]!),
      context.signal,
      (call) => this.attempts.walk(call, record, plan, attemptAt, (planned) => this.#begin(request, context, planned, record, priceAt(planned), characters)),
      (error) => record.failed(error, true),
    );
  }

  async #begin(request: SpeechRequest, context: InferenceContext, planned: PlannedEndpoint, record: CallRecord, price: Nano, characters: number): Promise<Begun> {
    const { endpoint } = planned;
    const adapter = this.adapters.speech(endpoint.adapter!);
    if (!adapter) throw new GatewayError('unavailable', `The adapter ${endpoint.adapter} is not installed on this service`);
    const answer = await adapter.speak({
      upstreamModel: endpoint.upstreamModel,
      provider: endpoint.provider,
      credential: planned.credential,
      options: planned.options,
      signal: context.signal,
      input: request.input,
      voice: request.voice,
      format: request.format,
      // Used only by models that support it, ignored otherwise (specification, "Speech request").
      speed: endpoint.supportedParameters['speed'] ? request.speed : undefined,
      user: context.user,
    });
    const chunks = await withFirstChunk(answer);
    record.firstByte();
    return { chunks, bill: () => ({ price, record: record.of({ upstreamCost: price, status: 200, characters, isByok: false, streamed: true }) }) };
  }
}

/** What the endpoint's own data rules out is told before any money is reserved. */
function refuseUnfit(request: SpeechRequest, characters: number, { endpoint }: PlannedEndpoint): void {
  const most = endpoint.maxInputCharacters;
  if (most !== undefined && characters > most) throw invalidRequest(`input is ${characters} characters long: ${request.model} takes at most ${most}`);
  if (endpoint.voices && !endpoint.voices.includes(request.voice)) throw invalidRequest(`voice "${request.voice.slice(0, 100)}" is not known to ${request.model}: use one of ${endpoint.voices.join(', ')}`);
  const speed = endpoint.supportedParameters['speed'];
  if (request.speed !== undefined && speed?.type === 'range' && (request.speed < speed.min || request.speed > speed.max)) {
    throw invalidRequest(`speed must be from ${speed.min} to ${speed.max} for ${request.model}`);
  }
}

const quantities = (characters: number): Quantity[] => [{ billable: 'input_text', unit: 'character', amount: characters }];

/** Waits for the first chunk, so that a vendor that fails before it can still be answered with a status. */
async function withFirstChunk(answer: SpeechAnswer): Promise<AsyncIterable<Uint8Array>> {
  const iterator = answer.audio[Symbol.asyncIterator]();
  let first = await iterator.next();
  while (!first.done && first.value.length === 0) first = await iterator.next();
  if (first.done) throw new GatewayError('provider_failed', 'The provider answered without any audio');
  return (async function* () {
    try {
      for (let next: IteratorResult<Uint8Array> = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
}

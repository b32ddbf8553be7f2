import { Injectable } from '@nestjs/common';
import type { BilledStream } from '../../billing/spending.js';
import type { Pieces } from '../../billing/started-bytes.js';
import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { priceOf, type Quantity } from '../../catalogue/price.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import type { Nano } from '../../kernel/money.js';
import { lengthInCharacters } from '../../kernel/text/text.js';
import type { EndpointCall, ReportedUsage } from '../../providers/ports/endpoint-call.js';
import type { SpeechCall, SpeechFormat } from '../../providers/ports/speech-adapter.port.js';
import { TrackedStream } from '../tracked-stream.js';
import { AdapterRegistry } from '../adapter-registry.js';
import { InferencePipeline } from '../call.js';
import type { ProviderPreferences } from '../provider-preferences.js';
import type {
  Attempt,
  ByteStreamResponse,
  Charge,
  InferenceContext,
  Options,
  ResponseEnd,
  Task,
  TokenCounts,
  Usage,
} from '../task.js';
import { TokenCounter } from '../text/token-counter.js';
import { chargeByLines, maxTokensOf, NO_TOKENS, type PreparedByLines } from '../usage-judgement.js';
import { whenReady } from '../when-ready.js';
import { RequestTask } from './request-task.js';

export interface SpeechRequest {
  readonly model: string;
  readonly input: string;
  readonly voice: string;
  readonly format: SpeechFormat;
  readonly speed?: number;
  readonly preferences: ProviderPreferences;
  /** Absent if the response is the audio itself. */
  readonly events?: SpeechEventWriter;
}

/** The cost of speech that was sent as events. */
interface SpeechBill {
  /** 0 if the endpoint is not priced by tokens. */
  readonly tokens: TokenCounts;
  /** 0 if the caller's own credential was used. */
  readonly cost: Nano;
}

/** Writes speech as server-sent events. */
export interface SpeechEventWriter {
  audio(piece: Uint8Array): Uint8Array;
  /** The last event, sent after the settlement. */
  done(bill: SpeechBill): Uint8Array;
}

/** Turns text into audio. */
@Injectable()
export class SpeechInference {
  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly adapters: AdapterRegistry,
    private readonly counter: TokenCounter,
  ) {}

  /**
   * Resolves when the first audio was received. `deliver` of the result settles the call before it sends the last byte.
   */
  speak(request: SpeechRequest, context: InferenceContext): Promise<BilledStream> {
    return this.pipeline.stream(new SpeechTask(request, this.adapters, this.counter), context);
  }
}

interface PreparedSpeech extends PreparedByLines {
  /** All text that the vendor reads. */
  readonly text: string;
  readonly request: Omit<SpeechCall, keyof EndpointCall>;
}

interface SpeechStream extends ByteStreamResponse {
  usage(): ReportedUsage | undefined;
  /** Set if the response consists of events. */
  billed?(charge: Charge): void;
}

class SpeechTask extends RequestTask<SpeechRequest> implements Task<SpeechStream, PreparedSpeech> {
  readonly capability = 'speech';
  readonly wantsStream = true;
  /** Audio is sent only after an attempt has succeeded. */
  readonly isCommitted = false;
  readonly #characters = lengthInCharacters(this.request.input);

  promptMembers(): { readonly input: string } {
    return this.request;
  }

  unsupportedReason(endpoint: CatalogueEndpoint): string | undefined {
    const { model, voice, format } = this.request;
    const { maxInputCharacters, voices, supportedParameters } = endpoint;
    if (maxInputCharacters !== undefined && this.#characters > maxInputCharacters)
      return `input is ${this.#characters} characters long: ${model} accepts at most ${maxInputCharacters}`;
    if (voices && !voices.includes(voice))
      return `voice "${voice.slice(0, 100)}" is not known to ${model}: use one of ${voices.join(', ')}`;
    const { response_format: formats } = supportedParameters;
    if (formats?.type === 'enum' && !formats.values.includes(format))
      return `response_format must be ${formats.values.join(' or ')} for ${model}`;
    return this.#unsupportedSpeed(endpoint);
  }

  /**
   * The reason why the endpoint would refuse the speed. Undefined if the speed is in the endpoint's range, if the
   * adapter changes it to the nearest speed in the range, or if the endpoint does not have the parameter.
   */
  #unsupportedSpeed({ adapter, supportedParameters }: CatalogueEndpoint): string | undefined {
    const { model, speed } = this.request;
    const speeds = supportedParameters['speed'];
    if (speed === undefined || speeds?.type !== 'range' || (speed >= speeds.min && speed <= speeds.max))
      return undefined;
    const clamps = adapter !== null && this.adapters.speech.get(adapter)?.clampsSpeed;
    return clamps ? undefined : `speed must be from ${speeds.min} to ${speeds.max} for ${model}`;
  }

  prepare(endpoint: CatalogueEndpoint, options: Options): PreparedSpeech {
    const { input, voice, format, speed } = this.request;
    const characters = this.#characters;
    // The options may contain instructions, which the vendor also counts.
    const text = input + Object.values(options).join();
    const maxUsage = { characters, tokens: maxSpeechTokens(text, characters, endpoint) };
    return {
      text,
      // The speed is not sent to an endpoint without this parameter.
      request: { input, voice, format, speed: endpoint.supportedParameters['speed'] ? speed : undefined },
      maxUsage,
      worstCase: priceOf(endpoint.pricing, speechQuantities(characters, maxUsage.tokens)),
    };
  }

  async invoke(attempt: Attempt<PreparedSpeech>, watchEnd: (end: Promise<void>) => void): Promise<SpeechStream> {
    const { endpoint, prepared } = attempt.planned;
    // The plan contains only endpoints whose adapter is registered.
    const adapter = this.adapters.speech.get(endpoint.adapter!)!;
    const speech = await adapter.speak({ ...attempt.endpointCall, ...prepared.request });
    const pieces = speech.audio[Symbol.asyncIterator]();
    // Wait for the first audio, so that the caller still gets a status if the vendor fails before it.
    let step = await pieces.next();
    while (!step.done && step.value.length === 0) step = await pieces.next();
    if (step.done) throw new GatewayError('provider_failed', 'The provider returned no audio');
    attempt.firstByte();
    const { events } = this.request;
    const response = {
      first: events ? events.audio(step.value) : step.value,
      output: { characters: this.#characters },
      streamed: true,
      usage: () => speech.usage(),
      ...(events && endOf(attempt, events)),
    };
    const rest = events ? new FramedPieces(pieces, events) : pieces;
    const isComplete = speech.isComplete ?? unknownUntilEnd;
    if (isComplete()) return { ...response, rest, isComplete };
    const audio = new TrackedStream(rest, isComplete);
    watchEnd(audio.end);
    return { ...response, rest: audio, isComplete: () => audio.isComplete() };
  }

  charge(
    attempt: Attempt<PreparedSpeech>,
    response: SpeechStream,
    { excessFactor }: ResponseEnd,
  ): Charge | Promise<Charge> {
    const { text, maxUsage } = attempt.planned.prepared;
    const charge = chargeByLines(attempt, {
      output: response.output,
      reported: response.usage(),
      quantities: ({ characters = 0, tokens }: Usage) => speechQuantities(characters, tokens),
      excessFactor,
      // The tokens of audio cannot be counted, so the maximum is billed.
      counted: async () => ({ tokens: { ...maxUsage.tokens, prompt: (await this.counter.count([text])).tokens } }),
    });
    return whenReady([charge], ([charged]) => {
      response.billed?.(charged!);
      return charged!;
    });
  }
}

/** The members of the response that write the last event, which contains the bill. */
function endOf(attempt: Attempt, events: SpeechEventWriter): Required<Pick<SpeechStream, 'closing' | 'billed'>> {
  let bill: SpeechBill = { tokens: NO_TOKENS, cost: 0n };
  return {
    closing: () => events.done(bill),
    billed: ({ usage, price }) => {
      const tokens = attempt.endpointCall.needsUsage ? usage.tokens : NO_TOKENS;
      bill = { tokens, cost: attempt.isByok ? 0n : price };
    },
  };
}

/** Audio as events, one event for each piece. */
class FramedPieces implements Pieces {
  constructor(
    private readonly pieces: AsyncIterator<Uint8Array, unknown>,
    private readonly events: SpeechEventWriter,
  ) {}

  async next(): Promise<IteratorResult<Uint8Array, unknown>> {
    let step = await this.pieces.next();
    while (!step.done && step.value.length === 0) step = await this.pieces.next();
    return step.done ? step : { done: false, value: this.events.audio(step.value) };
  }

  async return(): Promise<IteratorResult<Uint8Array, unknown>> {
    await this.pieces.return?.();
    return { done: true, value: undefined };
  }
}

const unknownUntilEnd = (): boolean => false;

/**
 * Maximum tokens of a speech request. `text`: everything that the vendor reads. `characters`: the number of characters
 * that are spoken.
 */
export function maxSpeechTokens(text: string, characters: number, { maxTokens }: CatalogueEndpoint): TokenCounts {
  const byLength = (maxTokens?.outputBase ?? 0) + characters * (maxTokens?.outputPerCharacter ?? 0);
  const completion = byLength > 0 ? Math.min(byLength, maxTokens?.output ?? byLength) : (maxTokens?.output ?? 0);
  return { prompt: maxTokensOf(text), completion };
}

/** The quantities by which speech is priced, with the used tokens. */
export const speechQuantities = (characters: number, { prompt, completion }: TokenCounts): Quantity[] => [
  { billable: 'input_text', unit: 'character', amount: characters },
  { billable: 'input_text', unit: 'token', amount: prompt },
  { billable: 'output_audio', unit: 'token', amount: completion },
];

import { Injectable } from '@nestjs/common';
import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { priceOf, type Quantity } from '../../catalogue/price.js';
import type { Nano } from '../../kernel/money.js';
import type { ReportedUsage } from '../../providers/ports/endpoint-call.js';
import type {
  Recording,
  TimestampGranularity,
  VendorTranscription,
} from '../../providers/ports/transcription-adapter.port.js';
import { AdapterRegistry } from '../adapter-registry.js';
import { AudioDurations, longestByBytes } from '../audio/audio-durations.js';
import { InferencePipeline, type BilledResponse } from '../call.js';
import type { ProviderPreferences } from '../provider-preferences.js';
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
import { chargeByLines, FRAME_TOKENS, isPricedByTokens, NO_TOKENS, type PreparedByLines } from '../usage-judgement.js';
import { whenReady } from '../when-ready.js';
import { RequestTask } from './request-task.js';

export interface TranscriptionRequest {
  readonly model: string;
  readonly recording: Recording;
  readonly language?: string;
  readonly temperature?: number;
  readonly isVerbose: boolean;
  readonly granularities: readonly TimestampGranularity[];
  readonly preferences: ProviderPreferences;
}

export type Transcript = Omit<VendorTranscription, 'usage' | 'upstreamId'>;

/**
 * Converts speech to text, completely or not at all. A call is settled when the vendor's complete response is in
 * memory.
 */
@Injectable()
export class TranscriptionInference {
  constructor(
    private readonly pipeline: InferencePipeline,
    private readonly adapters: AdapterRegistry,
    private readonly durations: AudioDurations,
    private readonly counter: TokenCounter,
  ) {}

  async transcribe(request: TranscriptionRequest, context: InferenceContext): Promise<BilledResponse<Transcript>> {
    const seconds = await this.durations.of(request.recording.bytes, context.signal);
    return this.pipeline.complete(new TranscriptionTask(request, this.adapters, this.counter, seconds), context);
  }
}

interface CompleteTranscript extends CompleteResponse<Transcript> {
  readonly reported: ReportedUsage | undefined;
  readonly upstreamId?: string;
}

interface PreparedTranscript extends PreparedByLines {
  /** The price of the maximum duration that the bytes allow. */
  readonly longestPrice: Nano;
}

class TranscriptionTask
  extends RequestTask<TranscriptionRequest>
  implements Task<CompleteTranscript, PreparedTranscript>
{
  readonly capability = 'transcription';
  readonly wantsStream = false;
  readonly isCommitted = false;

  constructor(
    request: TranscriptionRequest,
    adapters: AdapterRegistry,
    counter: TokenCounter,
    private readonly seconds: number,
  ) {
    super(request, adapters, counter);
  }

  generatedTexts({ content }: CompleteTranscript): readonly string[] {
    return [content.text];
  }

  unsupportedReason({ supportedParameters }: CatalogueEndpoint): string | undefined {
    const { model, isVerbose, temperature } = this.request;
    const { response_format: formats, temperature: range } = supportedParameters;
    const format = isVerbose ? 'verbose_json' : 'json';
    if (formats?.type === 'enum' && !formats.values.includes(format))
      return `response_format must be ${formats.values.join(' or ')} for ${model}`;
    if (temperature !== undefined && range?.type === 'range' && (temperature < range.min || temperature > range.max))
      return `temperature must be from ${range.min} to ${range.max} for ${model}`;
    return undefined;
  }

  prepare(endpoint: CatalogueEndpoint): PreparedTranscript {
    const maxUsage = maxTranscriptionUsage(this.seconds, endpoint);
    const longest = maxTranscriptionUsage(longestByBytes(this.request.recording.bytes), endpoint);
    const priceBy = (usage: Usage): Nano => priceOf(endpoint.pricing, transcriptionQuantities(usage, endpoint));
    return { maxUsage, worstCase: priceBy(maxUsage), longestPrice: priceBy(longest) };
  }

  async invoke(attempt: Attempt<PreparedTranscript>): Promise<CompleteTranscript> {
    const { endpoint } = attempt.planned;
    const { recording, language, temperature, isVerbose, granularities } = this.request;
    // The plan contains only endpoints whose adapter is registered.
    const { usage, upstreamId, ...transcript } = await this.adapters.transcription.get(endpoint.adapter!)!.transcribe({
      ...attempt.endpointCall,
      recording,
      language,
      temperature,
      isVerbose: isVerbose || needsDuration(endpoint),
      granularities,
    });
    attempt.firstByte();
    const content = isVerbose ? transcript : { text: transcript.text };
    return { content, reported: usage, upstreamId, output: { characters: 0 }, streamed: false };
  }

  /**
   * A report above the worst case is accepted up to the price of the maximum duration that the bytes allow. If other
   * calls of the account were open, a report above the worst case is not accepted, because together the calls could
   * exceed a limit many times.
   */
  charge(
    attempt: Attempt<PreparedTranscript>,
    { content, output, reported, upstreamId }: CompleteTranscript,
    { isAlone }: ResponseEnd,
  ): Charge | Promise<Charge> {
    const { endpoint, prepared } = attempt.planned;
    const maxAcceptedPrice = isAlone ? prepared.longestPrice : prepared.worstCase;
    const quantities = (usage: Usage): Quantity[] => transcriptionQuantities(usage, endpoint);
    const charge = chargeByLines(attempt, {
      output,
      reported,
      quantities,
      excessFactor: 1,
      maxAcceptedPrice,
      counted: () => this.#counted(content.text, endpoint),
    });
    return whenReady([charge], ([charged]) => {
      const { usage, facts } = charged!;
      const { seconds } = usage;
      const billed = seconds === undefined ? usage : { ...usage, seconds: billedSeconds(seconds, endpoint) };
      return { ...charged!, usage: billed, facts: { ...facts, upstreamId, audioInputs: 1 } };
    });
  }

  async #counted(text: string, endpoint: CatalogueEndpoint): Promise<Usage> {
    const { seconds } = this;
    if (!isPricedByTokens(endpoint)) return { seconds, tokens: NO_TOKENS };
    const { tokens: completion } = await this.counter.count([text]);
    const prompt = Math.ceil(seconds * (endpoint.maxTokens?.perSecond ?? 0));
    return { seconds, tokens: { prompt, promptAudio: prompt, completion } };
  }
}

/** Whether the verbose format must be requested. Some vendors report the duration only in this format. */
const needsDuration = ({ pricing, supportedParameters: { response_format: formats } }: CatalogueEndpoint): boolean =>
  pricing.some(({ unit }) => unit === 'second') && formats?.type === 'enum' && formats.values.includes('verbose_json');

/** The maximum usage of a recording with this many seconds. One more second is added, because vendors round up. */
function maxTranscriptionUsage(seconds: number, { maxTokens, contextLength }: CatalogueEndpoint): Usage {
  const whole = Math.ceil(seconds) + 1;
  const audio = Math.min(whole * (maxTokens?.perSecond ?? 0) + FRAME_TOKENS, contextLength ?? Infinity);
  return { seconds: whole, tokens: { prompt: audio, promptAudio: audio, completion: maxTokens?.output ?? 0 } };
}

const billedSeconds = (seconds: number, { minSeconds = 0 }: Pick<CatalogueEndpoint, 'minSeconds'>): number =>
  Math.max(seconds, minSeconds);

const MICROSECONDS = 1_000_000;

/**
 * The quantities by which a transcription is priced. A prompt that the vendor does not separate counts as audio, which
 * costs more.
 */
function transcriptionQuantities(
  { seconds = 0, tokens }: Usage,
  endpoint: Pick<CatalogueEndpoint, 'minSeconds'>,
): Quantity[] {
  const { prompt, promptAudio = prompt, completion }: TokenCounts = tokens;
  const audio = Math.min(prompt, promptAudio);
  return [
    {
      billable: 'input_audio',
      unit: 'second',
      amount: Math.round(billedSeconds(seconds, endpoint) * MICROSECONDS),
      perMillion: true,
    },
    { billable: 'input_audio', unit: 'token', amount: audio },
    { billable: 'input_text', unit: 'token', amount: prompt - audio },
    { billable: 'output_text', unit: 'token', amount: completion },
  ];
}

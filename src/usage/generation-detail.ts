import type {
  AttemptReport,
  CallFacts,
  ChoiceReason,
  CredentialChoice,
  FailureReason,
  PassedOver,
} from '../kernel/call-facts.js';
import { decimalToText } from '../kernel/money.js';

const MAX_TEXT_CHARACTERS = 256;
/** Maximum number of UTF-16 code units of a text that are read. */
const MAX_READ_LENGTH = 1_024;
const MAX_ATTEMPTS = 64;
const MAX_INT = 2_147_483_647;

/**
 * The row of `generation_detail` that is written with the usage record of a call. Create it only with
 * `generationDetail`, because a value that the database refuses would make the settlement fail.
 */
export interface GenerationDetail {
  readonly native_finish_reason: string | null;
  readonly upstream_id: string | null;
  readonly request_id: string | null;
  readonly session_id: string | null;
  readonly user_agent: string | null;
  readonly http_referer: string | null;
  readonly title: string | null;
  readonly categories: string | null;
  readonly service_tier: string | null;
  readonly provider_responses: readonly RecordedAttempt[] | null;
  readonly num_media_prompt: number | null;
  readonly num_input_audio_prompt: number | null;
  readonly native_tokens_completion_images: number | null;
  /** Nano-dollars. */
  readonly cache_discount: string | null;
  readonly cancelled: boolean;
  readonly usage_estimated: boolean;
  /** The items whose sum is the price; null if the price is not such a sum. */
  readonly price_lines: readonly RecordedPriceLine[] | null;
  /** Absent if the response came from the vendor. */
  readonly response_cache_source_id?: string;
  /** The labels of the caller; absent = none. */
  readonly tags?: readonly string[];
}

/** An element of `generation_detail.provider_responses`. */
export interface RecordedAttempt {
  /**
   * Null in the last element if something other than an attempt ended the call. `code` and `message` then have the
   * reason.
   */
  readonly provider: string | null;
  readonly status: number;
  readonly latency_ms: number;
  /** Absent if the endpoint needed no credential. Records of older versions lack it. */
  readonly credential?: RecordedCredential;
  /** Set if the prices were assumed. */
  readonly price_assumed?: true;
  /** `code` and `message` are set if the attempt failed. Records of older versions lack them. */
  readonly code?: string;
  readonly message?: string;
}

/** See CredentialChoice. */
export interface RecordedCredential {
  readonly id: string;
  readonly reason: ChoiceReason;
  readonly passed_over?: readonly PassedOver[];
}

/** A recorded attempt at an endpoint. */
export interface EndpointAttempt extends RecordedAttempt {
  readonly provider: string;
}

/** Null if the attempts were not recorded. */
export const attemptsOf = (detail: GenerationDetail | null): EndpointAttempt[] | null =>
  detail?.provider_responses?.filter((attempt): attempt is EndpointAttempt => attempt.provider !== null) ?? null;

/** Whether a call was billed at assumed prices. */
export const isPriceAssumed = (detail: GenerationDetail | null): boolean =>
  attemptsOf(detail)?.some((attempt) => attempt.price_assumed === true) ?? false;

/** An element of `generation_detail.price_lines`. The price is per unit, in USD as decimal text. */
export type RecordedPriceLine = readonly [item: string, quantity: number, price: string];

/** Texts are truncated to 256 characters, because callers and vendors choose them. */
export function generationDetail(facts: CallFacts): GenerationDetail {
  return {
    native_finish_reason: recordedText(facts.nativeFinishReason),
    upstream_id: recordedText(facts.upstreamId),
    request_id: recordedText(facts.requestId),
    session_id: recordedText(facts.sessionId),
    user_agent: recordedText(facts.userAgent),
    http_referer: recordedText(facts.httpReferer),
    title: recordedText(facts.title),
    categories: recordedText(facts.categories),
    service_tier: recordedText(facts.serviceTier),
    provider_responses: recordedAttempts(facts),
    num_media_prompt: recordedCount(facts.mediaInputs, MAX_INT),
    num_input_audio_prompt: recordedCount(facts.audioInputs, MAX_INT),
    native_tokens_completion_images: recordedCount(facts.completionImageTokens, Number.MAX_SAFE_INTEGER),
    cache_discount: facts.cacheDiscount?.toString() ?? null,
    cancelled: facts.cancelled ?? false,
    usage_estimated: facts.usageEstimated ?? false,
    price_lines:
      facts.priceLines?.map(({ item, quantity, price }) => [item, quantity, decimalToText(price)] as const) ?? null,
    response_cache_source_id: facts.cacheSourceId,
    ...(facts.tags && { tags: facts.tags }),
  };
}

function recordedAttempts({ attempts, failure }: CallFacts): RecordedAttempt[] | null {
  const recorded = attempts?.slice(0, MAX_ATTEMPTS).map(toRecordedAttempt);
  return failure
    ? [...(recorded ?? []), { provider: null, status: 0, latency_ms: 0, ...recordedReason(failure) }]
    : (recorded ?? null);
}

const MAX_PASSED_OVER = 16;

const toRecordedCredential = ({ id, reason, passedOver }: CredentialChoice): RecordedCredential => ({
  id,
  reason,
  ...(passedOver ? { passed_over: passedOver.slice(0, MAX_PASSED_OVER) } : {}),
});

const toRecordedAttempt = (attempt: AttemptReport): RecordedAttempt => {
  const { provider, status, latencyMs, credential, priceAssumed, failure } = attempt;
  return {
    provider: recordedText(provider) ?? '',
    status,
    latency_ms: Math.round(latencyMs),
    ...(credential ? { credential: toRecordedCredential(credential) } : {}),
    ...(priceAssumed ? { price_assumed: true } : {}),
    ...(failure ? recordedReason(failure) : {}),
  };
};

const recordedReason = ({ code, message }: FailureReason): Required<Pick<RecordedAttempt, 'code' | 'message'>> => ({
  code: recordedText(code) ?? '',
  message: recordedText(message) ?? '',
});

/** Matches most of the texts that are recorded unchanged. */
const PLAIN_TEXT = new RegExp(`^[ -~]{1,${MAX_TEXT_CHARACTERS}}$`);

/**
 * Returns a text in the form in which it is recorded; null if nothing is left. PostgreSQL stores neither NUL nor a lone
 * surrogate.
 */
export function recordedText(text: string | null | undefined): string | null {
  if (!text) return null;
  if (PLAIN_TEXT.test(text)) return text;
  const storable = text.slice(0, MAX_READ_LENGTH).toWellFormed().replaceAll('\0', '');
  const cut = storable.length <= MAX_TEXT_CHARACTERS ? storable : firstCharacters(storable);
  return cut === '' ? null : cut;
}

const firstCharacters = (text: string): string => [...text].slice(0, MAX_TEXT_CHARACTERS).join('');

const recordedCount = (count: number | undefined, max: number): number | null =>
  count === undefined || !(count >= 0) ? null : Math.min(Math.floor(count), max);

import type { GatewayError } from '../kernel/errors/errors.js';
import type { Delta } from './conversation.js';
import type { Members } from './members.js';

/** Maximum size of a complete response body, including pictures in base64. */
export const MAX_TEXT_RESPONSE_BYTES = 134_217_728;

/** The text formats in which vendors are called: `/chat/completions`, `/responses`, `/messages`. */
export type VendorFormat = 'chat' | 'responses' | 'messages';

/** The text formats that clients use: the vendor formats, and formats that no vendor uses (none at present). */
export type TextFormat = VendorFormat;

/** Operations of a format other than generating text: `/responses/compact`, `/messages/count_tokens`. */
export type FormatOperation = 'compact' | 'count_tokens';

/** The JSON object of a request, as bytes and parsed. */
export interface SentBody {
  /** UTF-8. */
  readonly bytes: Buffer;
  /** The same object, parsed. Must not be changed. */
  readonly members: Members;
  /** Names of members that were removed, or whose value differs from the value in `bytes`. */
  readonly rewritten?: readonly string[];
  /** For `/messages`: the value of the header that names the version of the format. */
  readonly version?: string;
  /** For `/messages`: the value of the header that lists beta features. */
  readonly betas?: string;
}

/** The body of a request for a vendor of the same format. */
export interface RequestBody extends SentBody {
  readonly format: { readonly name: VendorFormat };
  /** Absent = generating text. */
  readonly operation?: FormatOperation;
}

/** The gateway's decisions on a text request, for every format. */
export interface TextTerms {
  readonly streamed: boolean;
  /** The maximum output tokens of one choice: the caller's value, or the reserved number if the caller sent none. */
  readonly maxOutputTokens?: number;
  /** The reserved output tokens of one choice, for formats that require a maximum. */
  readonly reservedOutputTokens?: number;
  /** A keyed hash of the end user's id; vendors never get the id. */
  readonly endUser?: string;
  /**
   * Whether the credential is the caller's own. If so, ids of objects in the caller's account at the vendor are
   * forwarded.
   */
  readonly isOwnAccount?: boolean;
  /** The tier of the endpoint. If absent, tiers with separate prices are not requested from the vendor. */
  readonly serviceTier?: string;
  /** Whether the response may contain pictures or audio. If not, its events are small. */
  readonly mayHoldMedia?: boolean;
}

/** The caller's bytes, to be forwarded to a vendor of the same format. */
export interface ForwardedText extends TextTerms {
  readonly request: RequestBody;
  /** The vendor's own name of the model. */
  readonly upstreamModel: string;
  /** Passthrough options, already filtered by the chosen vendor and its allowed names. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The vendor's response in the format of the request. */
export interface WireResponse {
  /**
   * Whether the response consists of server-sent events. A vendor may send a complete body although a stream was
   * requested.
   */
  readonly isStream: boolean;
  /** The body of a response that is not streamed. Throws provider_failed if it is larger than `maxBytes`. */
  whole(maxBytes: number): Promise<Buffer>;
  /**
   * The data of a stream's events. A batch contains the events that one read completed. The iteration ends with the
   * vendor's stream, and throws GatewayError if the stream breaks off. `return` aborts the call.
   */
  events(): AsyncIterator<readonly Buffer[], undefined>;
  /**
   * Calls `take` with the batches that `events` has not returned yet, as they arrive. Resolves at the end of the
   * stream, or when the stream is discarded. The vendor is paused while the promise of `take` is pending. An error from
   * `take` aborts the call.
   */
  each(take: (events: readonly Buffer[]) => Promise<void> | undefined): Promise<void>;
  /** Discards the rest of the response, so that the connection can be reused. */
  discard(): void;
  /** Converts an error object of the response, in any form, to a GatewayError whose message contains no credentials. */
  failure(error: unknown): GatewayError;
}

/** The vendor's response in the canonical form. */
export interface ConversationResponse {
  /**
   * Batches of steps, in order. A response that was not streamed is one batch. Ends when the vendor's complete response
   * was received; throws GatewayError if the vendor fails. `return` aborts the call.
   */
  readonly deltas: AsyncIterator<readonly Delta[], undefined>;
  /** The vendor's own report so far, in the format named by `usageFormat`; undefined = none yet. */
  usage(): unknown;
  readonly usageFormat: UsageFormat;
  /** The vendor's id of the response; undefined until it is known. */
  upstreamId(): string | undefined;
  /** The service tier that was used, if the vendor reports it outside its usage. */
  serviceTier?(): string | undefined;
}

/** Selects the reader of a vendor's usage (usage-readers.ts). `v4`: the package interface LanguageModelV4. */
export type UsageFormat = TextFormat | 'generate_content' | 'v4';

import type { GatewayError } from '../kernel/errors/errors.js';
import type { Delta } from './conversation.js';
import type { Members } from './members.js';

/** The largest complete body of a response: pictures in base64 included. */
export const MAX_TEXT_RESPONSE_BYTES = 134_217_728;

/** The wire formats of text generation: `/chat/completions`, `/responses`, `/messages`. */
export type TextFormat = 'chat' | 'responses' | 'messages';

/** What a format has beside the generation of text: `/responses/compact`, `/messages/count_tokens`. */
export type FormatOperation = 'compact' | 'count_tokens';

/** The JSON object of a request, as the caller sent it and parsed. */
export interface SentBody {
  /** UTF-8. */
  readonly bytes: Buffer;
  /** The same, parsed. Not to be changed. */
  readonly members: Members;
  /** Names of members whose value differs from that in `bytes`, or that were removed. */
  readonly rewritten?: readonly string[];
  /** The headers of `/messages` for the version of the format and its beta features. */
  readonly version?: string;
  readonly betas?: string;
}

/** The body of a request for a vendor of the same format. */
export interface RequestBody extends SentBody {
  readonly format: { readonly name: TextFormat };
  /** Absent = the generation of text. */
  readonly operation?: FormatOperation;
}

/** What the gateway decided about a request of text, for every format. */
export interface TextTerms {
  readonly streamed: boolean;
  /** The bound of output tokens of one choice: the caller's, or what was reserved where the caller named none. */
  readonly maxOutputTokens?: number;
  /** The output tokens of one choice that were reserved, for formats that require a bound. */
  readonly reservedOutputTokens?: number;
  /** A keyed hash of the end user's id; vendors never get the id. */
  readonly endUser?: string;
  /** Whether the credential is the caller's own: ids of things in its account at the vendor are forwarded then. */
  readonly isOwnAccount?: boolean;
  /** The tier that the endpoint is for. Without one the vendor is asked for no tier that has prices of its own. */
  readonly serviceTier?: string;
  /** Whether the response may hold pictures or audio; otherwise its events are of the size of text. */
  readonly mayHoldMedia?: boolean;
}

/** A request as the caller's bytes, on its way to a vendor of the same format. */
export interface ForwardedText extends TextTerms {
  readonly request: RequestBody;
  /** The vendor's own name of the model. */
  readonly upstreamModel: string;
  /** Passthrough options, already reduced to the chosen vendor's and to its allowed names. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** The vendor's response in the format of the request. */
export interface WireResponse {
  /** Whether it comes as server-sent events; a vendor may send a whole body where a stream was requested. */
  readonly isStream: boolean;
  /** The body of a response that is no stream; throws provider_failed where it is larger than `maxBytes`. */
  whole(maxBytes: number): Promise<Buffer>;
  /**
   * The data of the events of a stream, in batches of those that one read completed. Ends where the vendor's stream
   * ends, and throws GatewayError where it breaks off. `return` aborts the call.
   */
  events(): AsyncIterator<readonly Buffer[], undefined>;
  /**
   * Calls `take` with the batches that `events` has not returned, as they arrive; resolves at the end of the stream, or
   * once it is discarded. The vendor is paused while the promise that `take` returned is pending; an error that it
   * throws aborts the call.
   */
  each(take: (events: readonly Buffer[]) => Promise<void> | undefined): Promise<void>;
  /** Discards the rest of the response, so that the connection can be reused. */
  discard(): void;
  /** The failure that an error object inside of the response is, whatever its shape; quotes no credential. */
  failure(error: unknown): GatewayError;
}

/** The vendor's response in the canonical form. */
export interface ConversationResponse {
  /**
   * Batches of steps in their order. A response that was not streamed comes as one batch. Ends when the vendor's
   * complete response is held; throws GatewayError where the vendor fails. `return` aborts the call.
   */
  readonly deltas: AsyncIterator<readonly Delta[], undefined>;
  /** The vendor's own report so far, in the format that `usageFormat` names; undefined = none yet. */
  usage(): unknown;
  readonly usageFormat: UsageFormat;
  /** The vendor's id of the response, once it is known. */
  upstreamId(): string | undefined;
  /** The tier that served, where the vendor reports it outside of its usage. */
  serviceTier?(): string | undefined;
}

/** How the vendor's usage is read (formats/usage-readers.ts). `v4`: the package interface LanguageModelV4. */
export type UsageFormat = TextFormat | 'generate_content' | 'v4';

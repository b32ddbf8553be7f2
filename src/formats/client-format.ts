import type { GatewayError } from '../kernel/errors/errors.js';
import type { Conversation, Delta, FinishReason } from './conversation.js';
import type { Members } from './members.js';
import type { TextMeasure } from './measure.js';
import type { FormatOperation, SentBody, TextFormat } from './vendor-text.js';
import type { TokenPrice } from './billed-cost.js';
import type { ToolNames } from './tools/namespaces.js';
import type { TokenUsage } from './usage.js';

/** The members that identify a response. */
export interface ResponseHead {
  /** The public generation id. */
  readonly id: string;
  /** The id of the model that serves the request. */
  readonly model: string;
  /** The display name of the provider. */
  readonly provider: string;
  /** Unix seconds. */
  readonly created: number;
}

export interface ResponseOptions {
  /** Reasoning is used and billed, but not returned. */
  readonly excludesReasoning: boolean;
  /** Number of requested choices. */
  readonly choices: number;
  /** All members of the request. Responses of some formats repeat them. */
  readonly request?: Readonly<Record<string, unknown>>;
  /**
   * The functions in the tool groups (namespaces) of the request, by the names that are sent to the vendor. Set if the
   * tools were changed for the vendor.
   */
  readonly toolNames?: ToolNames;
}

/** The progress of a response. */
export interface ResponseProgress {
  /** Whether every choice has its finish reason. */
  readonly finished: boolean;
  /** Whether the vendor has generated any output. */
  readonly sawOutput: boolean;
  /** The finish reason of the first choice that finished. */
  readonly finishReason: FinishReason | undefined;
  readonly nativeFinishReason: string | null | undefined;
  /** The received text: content, reasoning, tool calls. */
  text(): string[];
}

/** The data for the bill, from a vendor's response that has the client's format. */
export interface WireReport {
  /** The usage that the vendor reported; undefined = none yet. */
  readonly usage: unknown;
  readonly upstreamId: string | undefined;
  readonly serviceTier: string | undefined;
}

/** Writes the end of a stream, which depends on what was sent before. */
export interface StreamEnding {
  /** The end of a complete stream: usage and end mark. `serviceTier`: the tier that was used. */
  closing(usage: object, serviceTier: string | undefined): Uint8Array;
  /** The end of a stream that fails. */
  failing(error: unknown): Uint8Array;
}

/** Rewrites a vendor's stream that is in the client's format. */
export interface StreamRelay extends ResponseProgress, WireReport, StreamEnding {
  /** Whether the vendor's stream is over. Later data is ignored. */
  readonly isDone: boolean;
  /** Set when the vendor has failed. */
  readonly failure: GatewayError | undefined;
  /** The bytes for the client; empty if there is nothing to send. */
  push(events: readonly Buffer[]): Uint8Array;
  /** Like `push`, for a complete response that a vendor sent instead of a stream. */
  pushWhole(body: Buffer): Uint8Array;
  /** Call at the end of the vendor's stream. Returns the last bytes. Sets `failure` if the response is not complete. */
  end(): Uint8Array;
}

/** Writes steps of a response as a stream of the client's format. */
export interface StreamWriter extends ResponseProgress, StreamEnding {
  write(deltas: readonly Delta[]): string;
}

/** A complete response without its usage. */
export interface CompleteBody extends ResponseProgress {
  /** The body as JSON. `serviceTier`: the tier that was used, for a vendor of another format. */
  body(usage: object, serviceTier?: string): string;
}

/** The bill of a call, from which the client's usage is written. */
export interface TextBill {
  readonly usage: TokenUsage;
  readonly price: TokenPrice;
  readonly isByok: boolean;
}

/** The members that the gateway defines for every format, validated. */
export interface OwnMembers {
  readonly model?: string;
  readonly models?: readonly string[] | null;
  readonly provider?: object | null;
  readonly user?: string;
  readonly stream?: boolean | null;
}

/** The properties of a request that its format reads from the members. */
export interface RequestTerms {
  readonly measure: TextMeasure;
  /** Measures the request with changed members. Absent if none of its tools can be omitted. */
  readonly measureOf?: (members: Members) => TextMeasure;
  /** The request's parameters that some endpoints do not support, by their names in the catalogue. */
  readonly parameters: () => readonly string[];
  /** Input modalities besides text. */
  readonly modalities: readonly string[];
  /** Reasoning is used and billed, but not returned. */
  readonly excludesReasoning?: boolean;
  /** The service tier by which endpoints are chosen. */
  readonly serviceTier?: string;
  /** The end user's id, if the format has its own member for it. */
  readonly user?: string;
  /** Identifies the conversation if the request has no `session_id`. */
  readonly session?: string | null;
  /** Why the request cannot be sent to a vendor of another format; undefined if it can. */
  readonly conversionRefusal?: (members: Members) => string | undefined;
  /** Members with changed values for vendors of the same format. */
  readonly replaced?: Members;
  /** Absent if the request generates text. */
  readonly operation?: FormatOperation;
}

/** A text request in one of the client formats, read and validated. */
export interface TextRequest extends SentBody, RequestTerms {
  readonly format: ClientFormat;
  /** The name that the caller sent. */
  readonly model: string;
  readonly models: readonly string[];
  /** Provider preferences, not parsed yet. */
  readonly provider: object | undefined;
  readonly isStream: boolean;
}

/** A format that clients use. `Body`: the validated members that `read` needs. */
export interface ClientFormat<Body extends OwnMembers = OwnMembers> {
  readonly name: TextFormat;
  /** True for `/completions`, which only endpoints that can continue a text serve. */
  readonly continuesText?: boolean;
  /** The member of a request that limits the output. Messages to the caller contain this name. */
  readonly boundMember: string;
  /** Reads a validated request. Throws invalid_request if it has no model. */
  read(body: Body, sent: SentBody): TextRequest;
  /** The texts of a request that a model reads, for counting their tokens. */
  textsOf(body: Readonly<Record<string, unknown>>): string[];
  readConversation(body: Readonly<Record<string, unknown>>): Conversation;
  /** `failure`: converts an error object of the vendor to an error. */
  relay(head: ResponseHead, options: ResponseOptions, failure: (error: unknown) => GatewayError): StreamRelay;
  streamWriter(head: ResponseHead, options: ResponseOptions): StreamWriter;
  /** Reads a vendor's complete response of this format; throws provider_failed if it is invalid. */
  complete(
    body: Buffer,
    head: ResponseHead,
    options: ResponseOptions,
    failure: (error: unknown) => GatewayError,
  ): CompleteBody & WireReport;
  completionWriter(
    head: ResponseHead,
    options: ResponseOptions,
  ): CompleteBody & { add(deltas: readonly Delta[]): void };
  usage(bill: TextBill): object;
  /** The whole stream if it fails before its response has started. */
  failing(head: ResponseHead, error: unknown): Uint8Array;
}

import type { GatewayError } from '../kernel/errors/errors.js';
import type { Conversation, Delta, FinishReason } from './conversation.js';
import type { Members } from './members.js';
import type { TextMeasure } from './measure.js';
import type { FormatOperation, RequestBody, SentBody, TextFormat } from './vendor-text.js';
import type { Nano } from '../kernel/money.js';
import type { TokenPrice } from './billed-cost.js';
import type { ToolNames } from './tools/namespaces.js';
import type { TokenUsage } from './usage.js';

/** The members by which a response describes itself. */
export interface ResponseHead {
  /** The public generation id. */
  readonly id: string;
  /** The id of the model that serves. */
  readonly model: string;
  /** The display name of its provider. */
  readonly provider: string;
  /** Unix seconds. */
  readonly created: number;
}

export interface ResponseOptions {
  /** Reasoning is used and billed, but not returned. */
  readonly excludeReasoning: boolean;
  /** Choices that were requested. */
  readonly choices: number;
  /** All members of the request, which responses of some formats repeat. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** Set where the vendor got other tools: the names under which it calls functions that were in groups. */
  readonly toolNames?: ToolNames;
}

/** How far a response has come. */
export interface ResponseProgress {
  /** Whether every choice has its finish reason. */
  readonly finished: boolean;
  /** Whether the vendor has generated anything. */
  readonly sawOutput: boolean;
  /** The reason of the first choice that finished. */
  readonly finishReason: FinishReason | undefined;
  readonly nativeFinishReason: string | null | undefined;
  /** The received text: content, reasoning, tool calls. */
  text(): string[];
}

/** A vendor's report beside its response, where it comes in the client's format. */
export interface WireReport {
  /** The vendor's own report of its usage; undefined = none yet. */
  readonly usage: unknown;
  readonly upstreamId: string | undefined;
  readonly serviceTier: string | undefined;
}

/** How a stream ends, after what it has sent so far. */
export interface StreamEnding {
  /** The end of a complete stream: its usage, and the mark of the end. `serviceTier`: the tier that served. */
  closing(usage: object, serviceTier: string | undefined): Uint8Array;
  /** The end of a stream that fails. */
  failing(error: unknown): Uint8Array;
}

/** Rewrites a vendor's stream of the client's own format. */
export interface StreamRelay extends ResponseProgress, WireReport, StreamEnding {
  /** Whether the vendor's stream is over: what follows does not matter. */
  readonly isDone: boolean;
  /** Set once the vendor has failed. */
  readonly failure: GatewayError | undefined;
  /** The bytes for the client; empty where nothing is to be sent. */
  push(events: readonly Buffer[]): Uint8Array;
  /** The same for a complete response that a vendor sent in place of a stream. */
  pushWhole(body: Buffer): Uint8Array;
  /** The rest, when the vendor's stream has ended; sets `failure` where that is not complete. */
  end(): Uint8Array;
}

/** Writes steps of a response as a stream of the client's format. */
export interface StreamWriter extends ResponseProgress, StreamEnding {
  write(deltas: readonly Delta[]): string;
}

/** A complete response, but for its usage. */
export interface CompleteBody extends ResponseProgress {
  /** As JSON. */
  body(usage: object): string;
}

/** The bill of a call, for the usage that the client reads. */
export interface TextBill {
  readonly usage: TokenUsage;
  readonly price: TokenPrice;
  readonly isByok: boolean;
  /** The amount that the caller pays: 0 on an own credential. */
  readonly cost: Nano;
}

/** The members that are the gateway's own in every format, validated. */
export interface OwnMembers {
  readonly model?: string;
  readonly models?: readonly string[] | null;
  readonly provider?: object | null;
  readonly user?: string;
  readonly stream?: boolean | null;
}

/** The terms that a format reads from the members of a request. */
export interface RequestTerms {
  readonly measure: TextMeasure;
  /** Measures the request with other members. Absent = none of its tools can be left out. */
  readonly measureOf?: (members: Members) => TextMeasure;
  /** Members that endpoints may lack, by the name of the parameter in the catalogue. */
  readonly parameters: () => readonly string[];
  /** Input modalities beside text. */
  readonly modalities: readonly string[];
  /** Reasoning is used and billed, but not returned. */
  readonly excludesReasoning?: boolean;
  /** The tier by which its endpoints are chosen. */
  readonly serviceTier?: string;
  /** The end user's id, where the format has a member of its own for it. */
  readonly user?: string;
  /** The conversation of a request that has no `session_id`. */
  readonly session?: string | null;
  /** Why the request can be sent to no vendor of another format; undefined where it can. */
  readonly conversionRefusal?: (members: Members) => string | undefined;
  /** Members that vendors of the format get with another value than the caller sent. */
  readonly replaced?: Members;
  /** Absent = the generation of text. */
  readonly operation?: FormatOperation;
}

/** A request of text in one of the client formats, read and validated. */
export interface TextRequest extends RequestBody, RequestTerms {
  readonly format: ClientFormat;
  /** As the caller named it. */
  readonly model: string;
  readonly models: readonly string[];
  /** Provider preferences, unread. */
  readonly provider: object | undefined;
  readonly isStream: boolean;
}

/** One of the formats that clients speak. `Body`: the validated members that `read` needs. */
export interface ClientFormat<Body extends OwnMembers = OwnMembers> {
  readonly name: TextFormat;
  /** Requests of `/completions`: only endpoints that continue a text take them. */
  readonly continuesText?: boolean;
  /** The member of a request that bounds its output, for messages to the caller. */
  readonly boundMember: string;
  /** Reads a validated request; throws invalid_request where it names no model. */
  read(body: Body, sent: SentBody): TextRequest;
  /** The texts of a request that a model reads, to be counted. */
  textsOf(body: Readonly<Record<string, unknown>>): string[];
  readConversation(body: Readonly<Record<string, unknown>>): Conversation;
  /** `failure`: what an error object of the vendor is. */
  relay(head: ResponseHead, options: ResponseOptions, failure: (error: unknown) => GatewayError): StreamRelay;
  streamWriter(head: ResponseHead, options: ResponseOptions): StreamWriter;
  /** Reads a vendor's complete response of this format; throws provider_failed where it is none. */
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
  /** The one event of a stream that fails before its response has begun. */
  failing(head: ResponseHead, error: unknown): Uint8Array;
}

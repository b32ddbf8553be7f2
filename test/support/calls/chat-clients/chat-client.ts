/** A function in a request. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One request, independent of any client. */
export interface ClientRequest {
  readonly model: string;
  /** Messages in the client's own form: made by `user` and `toolResult`, or copied from earlier replies. */
  readonly messages: readonly unknown[];
  readonly tools?: readonly OfferedTool[];
  /** The JSON Schema of the response. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly maxTokens?: number;
  readonly effort?: 'low';
}

export interface CalledTool {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

export interface ClientUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
  readonly reasoning: number;
  /** In USD. */
  readonly cost: number;
}

/** A response as returned by the client. */
export interface ClientReply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly CalledTool[];
  /** The parsed response, if the request had a schema. */
  readonly object?: unknown;
  readonly finish: string;
  /** Undefined if the client drops it. */
  readonly usage?: ClientUsage;
  /** The pieces of text as they arrived, for a stream. */
  readonly pieces: readonly string[];
  /** The response in the client's own form, for the next request. */
  readonly messages: readonly unknown[];
}

/** A failure as reported by the client. */
export interface ClientFailure {
  /** Class of the thrown error; `chunk` if the failure is a part of the stream. */
  readonly type: string;
  readonly status?: number;
  readonly message: string;
  /** Seconds, if the client exposes the header. */
  readonly retryAfter?: string;
}

/** A client package, used as an application uses it, but without retries. */
export interface ChatClient {
  /** Whether the client sends back the reasoning of earlier replies. */
  readonly returnsReasoning: boolean;
  user(text: string, image?: string): unknown;
  toolResult(call: CalledTool, result: string): unknown;
  complete(request: ClientRequest): Promise<ClientReply>;
  stream(request: ClientRequest): Promise<ClientReply>;
  failure(thrown: unknown): ClientFailure;
}

export interface ClientAccess {
  /** Ends in /api/v1. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The failure of a stream that the client returned as a chunk instead of an exception. */
export class FailedChunk extends Error {
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

export const parsedJson = (text: string): unknown => JSON.parse(text) as unknown;

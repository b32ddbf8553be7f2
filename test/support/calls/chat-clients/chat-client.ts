/** A function that a request offers. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** One request, in no client's words. */
export interface ClientRequest {
  readonly model: string;
  /** In the client's own form: made by `user` and `toolResult`, and taken from earlier replies. */
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
  /** USD. */
  readonly cost: number;
}

/** A response as the client shows it. */
export interface ClientReply {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly CalledTool[];
  /** The response that a schema was given for, as the client parsed it. */
  readonly object?: unknown;
  readonly finish: string;
  /** Undefined where the client drops it. */
  readonly usage?: ClientUsage;
  /** Of a stream: the pieces of text that arrived one by one. */
  readonly pieces: readonly string[];
  /** The response in the client's own form, for the next request. */
  readonly messages: readonly unknown[];
}

/** A failure as the client reports it. */
export interface ClientFailure {
  /** Class of the thrown error; `chunk` where the failure is returned as part of the stream. */
  readonly type: string;
  readonly status?: number;
  readonly message: string;
  /** Seconds, where the client shows the header. */
  readonly retryAfter?: string;
}

/** One client package as an application uses it, without retries. */
export interface ChatClient {
  /** Whether it sends the reasoning of an earlier reply back. */
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

/** A stream whose failure the client returns as a chunk, in place of an exception. */
export class FailedChunk extends Error {
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

export const parsedJson = (text: string): unknown => JSON.parse(text) as unknown;

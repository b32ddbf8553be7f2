/**
 * The canonical form of a conversation: the meaning of a text request, independent of the formats of client and vendor.
 * Formats are converted through it, so N formats need 2N converters.
 */
export interface Conversation {
  /** In order; at least one. */
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  /** Undefined = the vendor's default. */
  readonly toolChoice?: 'none' | 'auto' | 'required' | { readonly toolName: string };
  readonly parallelToolCalls?: boolean;
  readonly responseFormat?: ResponseFormat;
  readonly reasoning?: ReasoningSettings;
  readonly settings: SamplingSettings;
  /** Output modalities besides text. */
  readonly modalities: readonly ('image' | 'audio')[];
  readonly audioOutput?: { readonly voice: string; readonly format: string };
  /** Sets one cache breakpoint at the last block that can have one. */
  readonly cacheControl?: CacheControl;
  readonly serviceTier?: string;
  readonly verbosity?: string;
  readonly promptCacheKey?: string;
}

export interface SamplingSettings {
  /** The maximum for each choice. */
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly minP?: number;
  readonly topA?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly repetitionPenalty?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  readonly logitBias?: Readonly<Record<string, number>>;
  readonly logprobs?: boolean;
  readonly topLogprobs?: number;
  /** Number of choices per request. Default 1. */
  readonly n?: number;
}

export type ResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json' }
  | {
      readonly type: 'json_schema';
      readonly name: string;
      readonly schema: Json;
      readonly description?: string;
      readonly strict?: boolean;
    };

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

export interface ReasoningSettings {
  readonly effort?: Effort;
  /** A budget in tokens. It cannot be set together with `effort`. */
  readonly maxTokens?: number;
  readonly summary?: string;
  /** If true, reasoning is used and billed, but not returned. */
  readonly exclude: boolean;
}

export interface CacheControl {
  readonly ttl?: '5m' | '1h';
}

export type Json = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON schema of the arguments. */
  readonly parameters: Json;
  readonly strict?: boolean;
  readonly cacheControl?: CacheControl;
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

interface SystemMessage {
  readonly role: 'system';
  readonly parts: readonly TextPart[];
}

interface UserMessage {
  readonly role: 'user';
  readonly parts: readonly UserPart[];
}

/** A message of the assistant. As the last message, it is a prefill that the model continues. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly parts: readonly AssistantPart[];
}

/** The results of tool calls. */
interface ToolMessage {
  readonly role: 'tool';
  readonly results: readonly ToolResult[];
}

export interface ToolResult {
  readonly callId: string;
  /** Undefined if the request does not contain the name and no earlier call has the id. */
  readonly toolName?: string;
  readonly isError?: boolean;
  readonly parts: readonly UserPart[];
  readonly cacheControl?: CacheControl;
}

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly cacheControl?: CacheControl;
}

/** A picture, sound, video or document: inline bytes in base64, or an http(s) URL. */
export interface MediaPart {
  readonly type: 'image' | 'audio' | 'video' | 'file';
  readonly source: { readonly base64: string; readonly mediaType: string } | { readonly url: string };
  readonly filename?: string;
  readonly detail?: string;
  readonly cacheControl?: CacheControl;
}

export type UserPart = TextPart | MediaPart;

export interface ToolCallPart {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

export interface ReasoningPart {
  readonly type: 'reasoning';
  /** In the vendor's form. They are sent back to the same vendor unchanged and in the same order. */
  readonly details: readonly ReasoningDetail[];
}

export type AssistantPart = TextPart | ReasoningPart | ToolCallPart | MediaPart;

export const REASONING_DETAIL_TYPES = ['reasoning.text', 'reasoning.summary', 'reasoning.encrypted'] as const;

/** An entry of `reasoning_details` of the chat format. Reasoning of other formats is stored in such entries too. */
export interface ReasoningDetail {
  readonly type: (typeof REASONING_DETAIL_TYPES)[number];
  readonly text?: string;
  readonly signature?: string;
  readonly summary?: string;
  readonly data?: string;
  readonly id?: string;
  /** Identifies the origin of the reasoning, such as `anthropic-claude-v1`. */
  readonly format: string;
  readonly index?: number;
}

export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'error'] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];

/** One step of a response. `choice` starts at 0; absent = 0. */
export type Delta =
  | { readonly type: 'text'; readonly text: string; readonly choice?: number }
  | { readonly type: 'refusal'; readonly text: string; readonly choice?: number }
  /** `detail` is the entry that the client must send back; `text` is its readable part. */
  | { readonly type: 'reasoning'; readonly text?: string; readonly detail?: ReasoningDetail; readonly choice?: number }
  /** `index` counts the calls of the choice in order of appearance. Only the first piece has `id` and `name`. */
  | {
      readonly type: 'tool_call';
      readonly index: number;
      readonly id?: string;
      readonly name?: string;
      readonly arguments: string;
      readonly choice?: number;
    }
  | { readonly type: 'image'; readonly dataUrl: string; readonly choice?: number }
  | { readonly type: 'annotation'; readonly annotation: Json; readonly choice?: number }
  | {
      readonly type: 'finish';
      readonly reason: FinishReason;
      /** The vendor's own name of the reason. */
      readonly native: string | null;
      readonly choice?: number;
    };

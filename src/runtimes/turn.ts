/** Limits of one turn. If a limit ends the turn, the failure has the reason of that limit. */
export interface TurnLimits {
  /** Maximum calls of the model. */
  readonly steps: number;
  /** Maximum working time in milliseconds. The time in which the turn waits for answers does not count. */
  readonly activeMs: number;
  /** Maximum input and output tokens of all calls of the model. */
  readonly tokens: number;
  /** The timeout of a question, in milliseconds. */
  readonly answerMs: number;
}

/** The information about a secret that an agent has; the value is not included. */
export interface SecretNotice {
  readonly name: string;
  readonly hosts: readonly string[];
  /** The text that the intern sends instead of the value; the egress proxy replaces it. */
  readonly placeholder: string;
}

/** The information that an agent has about its intern. */
export interface AgentProfile {
  readonly name: string;
  readonly description: string | null;
  readonly instructions: string | null;
  /** Null = the built-in model. */
  readonly model: string | null;
  readonly secrets: readonly SecretNotice[];
}

export type ApprovalMode = 'self-drive' | 'manual';

/** One message of a user, on which the agent works until it has responded. */
export interface TurnRequest {
  readonly turnId: string;
  /** An unknown id starts a new session. */
  readonly sessionId: string;
  readonly text: string;
  readonly approvalMode: ApprovalMode;
  readonly limits: TurnLimits;
  /** Hosts that the agent may reach without asking, in addition to the hosts of its secrets. */
  readonly allowedHosts: readonly string[];
  /** The current profile; absent = unchanged since the boot. */
  readonly profile?: AgentProfile;
}

export type PermissionOption = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';

/** A request of the agent for the user's input, which it needs to continue. */
export type Question =
  | { readonly kind: 'permission'; readonly operation: string; readonly options: readonly PermissionOption[] }
  | { readonly kind: 'elicitation'; readonly message: string; readonly fields: readonly QuestionField[] };

export interface QuestionField {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly description?: string;
  readonly required?: boolean;
}

export type Answer =
  | { readonly kind: 'permission'; readonly option: PermissionOption | 'cancel' }
  | {
      readonly kind: 'elicitation';
      readonly action: 'accept' | 'decline' | 'cancel';
      readonly content?: Readonly<Record<string, unknown>>;
    };

/** Usage of a turn's model calls. The cost in USD is read from the gateway's responses. */
export interface TurnUsage {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
}

/** `spending_limit`: the limit of the key or the account, detected before a vendor was called. */
export const TURN_FAILURE_REASONS = [
  'step_limit',
  'time_limit',
  'token_limit',
  'spending_limit',
  'model_unavailable',
  'answer_timeout',
  'cancelled',
  'runtime_ended',
  'internal',
] as const;
export type TurnFailureReason = (typeof TURN_FAILURE_REASONS)[number];

/** `end` or `failed` is the last event of a turn. */
export type TurnEvent =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | { readonly type: 'question'; readonly questionId: string; readonly question: Question }
  | { readonly type: 'end'; readonly usage: TurnUsage; readonly model: string }
  | {
      readonly type: 'failed';
      readonly reason: TurnFailureReason;
      /** For the user, without secrets. */
      readonly message: string;
      readonly retryable: boolean;
      readonly usage: TurnUsage;
    };

/** A running turn. While a question is open, it waits until `answer` is called. */
export interface Turn {
  /**
   * Events in order; can be read once. Ends after `end` or `failed`. If the runtime ends, the last event is `failed`.
   */
  readonly events: AsyncIterable<TurnEvent>;
  /** Adds a user's message, which the agent reads before its next call of the model. */
  steer(text: string): void;
  /** Returns false if the question is not waiting for an answer. */
  answer(questionId: string, answer: Answer): boolean;
  /** Stops the work. Effects that have started are recorded. The last event is `failed` with the reason `cancelled`. */
  cancel(): void;
}

export interface SessionSummary {
  readonly sessionId: string;
  /** Epoch milliseconds, like `updatedAt`. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly turns: number;
}

/** How far one turn may go. What a limit ends is reported as a failure with the reason of that limit. */
export interface TurnLimits {
  /** Calls of the model. */
  readonly steps: number;
  /** Time without the waiting for answers, milliseconds. */
  readonly activeMs: number;
  /** Input and output tokens of all calls of the model. */
  readonly tokens: number;
  /** How long a question waits for its answer, milliseconds. */
  readonly answerMs: number;
}

/** A secret as the intern sees it, without its value. */
export interface SecretNotice {
  readonly name: string;
  readonly hosts: readonly string[];
  /** What the intern sends instead of the value; the egress proxy replaces it. */
  readonly placeholder: string;
}

/** What the agent knows of its intern. */
export interface AgentProfile {
  readonly name: string;
  readonly description: string | null;
  readonly instructions: string | null;
  /** Null: the built-in model. */
  readonly model: string | null;
  readonly secrets: readonly SecretNotice[];
}

export type ApprovalMode = 'self-drive' | 'manual';

/** One message of a user, which the agent works on until it has answered it. */
export interface TurnRequest {
  readonly turnId: string;
  /** An unknown one begins a session. */
  readonly sessionId: string;
  readonly text: string;
  readonly approvalMode: ApprovalMode;
  readonly limits: TurnLimits;
  /** Hosts that the agent may reach without asking, in addition to the hosts of its secrets. */
  readonly allowedHosts: readonly string[];
  /** As it is now; absent = as at the boot. */
  readonly profile?: AgentProfile;
}

export type PermissionOption = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';

/** What the agent needs to know from the user before it goes on. */
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

/** Usage of a turn's model calls; the cost in USD is taken from the gateway's own responses. */
export interface TurnUsage {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
  readonly costUsd: number;
}

/** `spending_limit`: the key's or the account's, found before a vendor was called. */
export type TurnFailureReason =
  | 'step_limit'
  | 'time_limit'
  | 'token_limit'
  | 'spending_limit'
  | 'model_unavailable'
  | 'answer_timeout'
  | 'cancelled'
  | 'runtime_ended'
  | 'internal';

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

/** A turn under way. Questions wait inside it: it goes on when `answer` is called. */
export interface Turn {
  /** Events in order; may be read once. Ends after `end` or `failed`, which also comes if the runtime ends. */
  readonly events: AsyncIterable<TurnEvent>;
  /** Adds a user's message, which the agent reads before its next call of the model. */
  steer(text: string): void;
  /** Returns false if this question does not wait for an answer. */
  answer(questionId: string, answer: Answer): boolean;
  /** Stops the work; effects that were begun are recorded, and `failed` with `cancelled` follows. */
  cancel(): void;
}

export interface SessionSummary {
  readonly sessionId: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly turns: number;
}

import type { PermissionOption } from '../turn.ts';
import type { Reasoning } from './reasoning.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The model's text, which may be invalid JSON. */
  readonly arguments: string;
}

/** One line of a transcript. */
export type TranscriptRecord =
  | { readonly type: 'turn'; readonly turnId: string; readonly text: string; readonly at: number }
  | { readonly type: 'steer'; readonly text: string }
  | ({ readonly type: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] } & Reasoning)
  /** Written before an effect. If there is no result, the outcome of the effect is unknown. */
  | { readonly type: 'intent'; readonly callId: string }
  | { readonly type: 'result'; readonly callId: string; readonly content: string }
  /** `outcome`: `end`, or the reason of the failure of the turn. */
  | { readonly type: 'finished'; readonly turnId: string; readonly outcome: string }
  /** Marks a turn that the end of the runtime interrupted. Written when the session is opened again. */
  | { readonly type: 'cut'; readonly turnId: string };

/** The state of a session in addition to its transcript. Each write replaces the whole state. */
export interface SessionState {
  readonly sessionId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly turns: number;
  /** Decisions for the rest of the session, by permission. */
  readonly permissions: Readonly<Record<string, Extract<PermissionOption, `${string}_always`>>>;
}

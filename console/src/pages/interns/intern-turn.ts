import { post } from '../../api/client';
import { eventsOf } from '../../api/event-stream';

export const PROVIDE_INPUT = 'openrouter.provide_input';

export type PermissionOption = 'allow_once' | 'allow_always' | 'reject_once' | 'reject_always';

export interface QuestionField {
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean';
  readonly description?: string;
  readonly required?: boolean;
}

/** What the intern needs to know before it goes on. */
export type Question =
  | { readonly kind: 'permission'; readonly operation: string; readonly options: readonly PermissionOption[] }
  | { readonly kind: 'elicitation'; readonly message: string; readonly fields: readonly QuestionField[] };

export interface AskedQuestion {
  readonly callId: string;
  /** As the intern sent them. */
  readonly arguments: string;
  readonly question: Question;
}

interface ToolCall {
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

interface InternChunk {
  readonly session_id?: string;
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string;
      readonly reasoning?: string;
      readonly tool_calls?: readonly ToolCall[];
    };
  }[];
  readonly usage?: { readonly cost?: number; readonly total_tokens?: number } | null;
  readonly error?: { readonly message?: string };
}

export interface TurnUpdate {
  readonly text?: string;
  readonly reasoning?: string;
  readonly sessionId?: string;
  readonly cost?: number;
  readonly question?: AskedQuestion;
  /** The message went to the turn that is under way. */
  readonly isSteered?: boolean;
}

export interface TurnMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** The answer to a question: the intern's own call, and the choice. */
export const answerTo = ({ callId, arguments: given }: AskedQuestion, content: string): TurnMessage[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: callId, type: 'function', function: { name: PROVIDE_INPUT, arguments: given } }],
  },
  { role: 'tool', tool_call_id: callId, content },
];

/** The content of an answer that dismisses the question. */
export const cancelOf = ({ question: { kind } }: AskedQuestion): string =>
  kind === 'permission' ? 'cancel' : JSON.stringify({ action: 'cancel' });

export interface TurnRequest {
  readonly id: string;
  readonly messages: readonly TurnMessage[];
  readonly sessionId: string | undefined;
  readonly approvalMode: 'self-drive' | 'manual';
}

/** Sends messages to an intern and reports what it says as it says it. */
export async function takeTurn(
  { id, messages, sessionId, approvalMode }: TurnRequest,
  update: (part: TurnUpdate) => void,
  signal: AbortSignal,
): Promise<void> {
  const json = {
    stream: true,
    messages,
    approval_mode: approvalMode,
    ...(sessionId === undefined ? {} : { session_id: sessionId }),
  };
  const response = await post(`/interns/${encodeURIComponent(id)}/chat/completions`, json, signal);
  if (response.status === 202) return update({ isSteered: true });
  for await (const chunk of eventsOf<InternChunk>(response)) {
    if (chunk.error) throw new Error(chunk.error.message ?? 'The turn failed.');
    const delta = chunk.choices?.[0]?.delta;
    update({
      text: delta?.content,
      reasoning: delta?.reasoning,
      sessionId: chunk.session_id,
      cost: chunk.usage?.cost,
      question: questionOf(delta?.tool_calls?.[0]),
    });
  }
}

function questionOf(call: ToolCall | undefined): AskedQuestion | undefined {
  const given = call?.function?.arguments;
  if (!call?.id || !given) return undefined;
  return { callId: call.id, arguments: given, question: JSON.parse(given) as Question };
}

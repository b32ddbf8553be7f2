import { post } from '../../api/client';
import { eventsOf } from '../../api/event-stream';
import type { AskedQuestion, Decision, Question } from '../../talks/talk';
import { t } from '../../text/translate';

export const PROVIDE_INPUT = 'openrouter.provide_input';

interface ToolCall {
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

interface InternChunk {
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
  readonly cost?: number;
  readonly question?: AskedQuestion;
  /** The message was passed to the running turn. */
  readonly isSteered?: boolean;
}

export interface TurnMessage {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** The messages that answer a question: the intern's own tool call, and the content as its result. */
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

/** The decision in the content of an answer. */
export const decisionOf = ({ question: { kind } }: AskedQuestion, content: string): Decision =>
  kind === 'permission' ? (content as Decision) : (JSON.parse(content) as { action: Decision }).action;

export interface TurnRequest {
  readonly id: string;
  readonly messages: readonly TurnMessage[];
  readonly sessionId: string;
  readonly approvalMode: 'self-drive' | 'manual';
}

/** Sends messages to an intern, and reports its output as it arrives. */
export async function takeTurn(
  { id, messages, sessionId, approvalMode }: TurnRequest,
  update: (part: TurnUpdate) => void,
  signal: AbortSignal,
): Promise<void> {
  const json = {
    stream: true,
    messages,
    approval_mode: approvalMode,
    session_id: sessionId,
  };
  const response = await post(`/interns/${encodeURIComponent(id)}/chat/completions`, json, signal);
  if (response.status === 202) return update({ isSteered: true });
  for await (const chunk of eventsOf<InternChunk>(response)) {
    if (chunk.error) throw new Error(chunk.error.message ?? t('The turn failed.'));
    const delta = chunk.choices?.[0]?.delta;
    update({
      text: delta?.content,
      reasoning: delta?.reasoning,
      cost: chunk.usage?.cost,
      question: questionOf(delta?.tool_calls?.[0]),
    });
  }
}

function questionOf(call: ToolCall | undefined): AskedQuestion | undefined {
  const given = call?.function?.arguments;
  if (!call?.id || !given) return undefined;
  return { callId: call.id, arguments: given, question: JSON.parse(given) as Question, askedAt: Date.now() };
}

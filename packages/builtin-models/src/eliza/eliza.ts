import { bytesOfTokens, tokensOfBytes } from '../token-estimate.ts';
import { cutAtBytes, cutReply, piecesOf } from './output.ts';
import { instanceOf } from './schema-instance.ts';
import { ElizaSession } from './session.ts';
import { type Command, isCommand, readCommand } from './tool-command.ts';
import { MAX_MESSAGE_CHARACTERS } from './words.ts';

/** The maximum length of a reply, in tokens. A longer reply is cut and has the finish reason `length`. */
export const MAX_OUTPUT_TOKENS = 65_536;
/** The maximum number of replayed messages. Only the latest messages of a longer conversation are replayed. */
const MAX_REPLAYED_MESSAGES = 200;
const MAX_REPLAYED_CHARACTERS = 32_768;

export interface ElizaToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text of an object. */
  readonly arguments: string;
}

export interface ElizaMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  /**
   * The last part of `text` if the message has several parts. Commands are read from it, because coding agents put
   * their own parts before the user's text.
   */
  readonly lastPart?: string;
  readonly toolCalls?: readonly ElizaToolCall[];
  readonly toolCallId?: string;
}

export type ElizaResponseFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly schema: unknown };

export interface ElizaRequest {
  readonly messages: readonly ElizaMessage[];
  /** The tools that may be called. */
  readonly tools?: ReadonlyArray<{ readonly name: string }>;
  readonly maxOutputTokens?: number;
  /** Stop strings: the reply ends before the first occurrence. */
  readonly stop?: readonly string[];
  readonly responseFormat?: ElizaResponseFormat;
}

export type ElizaDelta =
  { readonly type: 'text'; readonly text: string } | { readonly type: 'tool_call'; readonly toolCall: ElizaToolCall };

export interface ElizaReply {
  /** Words of text in order, or one tool call. May be iterated several times. */
  readonly deltas: Iterable<ElizaDelta>;
  readonly finishReason: 'stop' | 'length' | 'tool_calls';
  /** Prompt: texts and tool calls of all messages. Completion: text or tool call (token-estimate.ts). */
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
}

/**
 * The next message of a conversation. The function is pure: it replays the user messages of the request, so nothing is
 * stored between requests. Never throws. The time is linear in the bytes of the conversation.
 *
 * - `/call <tool> <JSON object>` as the last message calls that tool, if it is among the tools.
 * - A tool result as the last message is repeated.
 * - System and developer messages only count as usage. System messages may follow a command or a tool result.
 */
export function converse(request: ElizaRequest): ElizaReply {
  const { messages, tools = [], stop = [], responseFormat } = request;
  const promptTokens = tokensOfBytes(messages.reduce((sum, message) => sum + bytesOf(message), 0));
  const maxTokens = outputBound(request.maxOutputTokens);
  const last = messages.findLast(({ role }) => role !== 'system');

  let text: string;
  if (last?.role === 'tool') text = last.text === '' ? 'The tool returned nothing.' : last.text;
  else {
    const command = last?.role === 'user' ? readCommand(last.lastPart ?? last.text, tools) : undefined;
    if (command?.type === 'call') return callTool(command, messages.length, promptTokens, maxTokens);
    text = command?.text ?? nextReply(messages);
  }

  const sent = cutReply(formatReply(text, responseFormat), stop, bytesOfTokens(maxTokens));
  return {
    deltas: textDeltas(sent.text),
    finishReason: sent.isCut ? 'length' : 'stop',
    usage: { promptTokens, completionTokens: tokensOfBytes(Buffer.byteLength(sent.text)) },
  };
}

/** Sends a call completely or not at all, because cut arguments would not be JSON. */
function callTool(
  { name, json }: Extract<Command, { type: 'call' }>,
  messageCount: number,
  promptTokens: number,
  maxTokens: number,
): ElizaReply {
  const completionTokens = tokensOfBytes(Buffer.byteLength(name) + Buffer.byteLength(json));
  if (completionTokens > maxTokens) {
    return { deltas: [], finishReason: 'length', usage: { promptTokens, completionTokens: 0 } };
  }
  // The number of messages makes the id unique within the conversation.
  const toolCall = { id: `call_eliza_${messageCount}`, name, arguments: json };
  return {
    deltas: [{ type: 'tool_call', toolCall }],
    finishReason: 'tool_calls',
    usage: { promptTokens, completionTokens },
  };
}

function nextReply(messages: readonly ElizaMessage[]): string {
  const session = new ElizaSession();
  let reply: string | undefined;
  for (const text of replayed(messages)) reply = session.reply(text);
  return reply ?? session.greet();
}

/** The latest user messages within the limits, oldest first, without commands. */
function replayed(messages: readonly ElizaMessage[]): string[] {
  const texts: string[] = [];
  let characters = 0;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message?.role !== 'user' || isCommand(message.lastPart ?? message.text)) continue;
    characters += Math.min(message.text.length, MAX_MESSAGE_CHARACTERS);
    if (texts.length === MAX_REPLAYED_MESSAGES || characters > MAX_REPLAYED_CHARACTERS) break;
    texts.push(message.text);
  }
  return texts.toReversed();
}

function formatReply(text: string, format: ElizaResponseFormat | undefined): string {
  const cut = cutAtBytes(text, bytesOfTokens(MAX_OUTPUT_TOKENS));
  if (format?.type === 'json_object') return JSON.stringify({ reply: cut });
  if (format?.type === 'json_schema') return instanceOf(format.schema, cut);
  return text;
}

function* words(text: string): Generator<ElizaDelta> {
  for (const piece of piecesOf(text)) yield { type: 'text', text: piece };
}

const textDeltas = (text: string): Iterable<ElizaDelta> => ({ [Symbol.iterator]: () => words(text) });

const outputBound = (requested = MAX_OUTPUT_TOKENS): number =>
  Math.max(0, Math.floor(Math.min(requested, MAX_OUTPUT_TOKENS))) || 0;

const bytesOf = ({ text, toolCalls = [] }: ElizaMessage): number =>
  toolCalls.reduce(
    (sum, call) => sum + Buffer.byteLength(call.name) + Buffer.byteLength(call.arguments),
    Buffer.byteLength(text),
  );

import { unknownOutcome } from './tools/tool.ts';
import type { TranscriptRecord } from './transcript-record.ts';

/** Results of earlier steps are cut to this length when the context is full. */
const MAX_OLD_RESULT_CHARACTERS = 500;
const INTERRUPTED = unknownOutcome('the agent was interrupted while this ran');
const NOT_RUN = 'Not done: the turn ended before this was started.';
const CUT = '[The turn before this message was interrupted before it was complete.]';

type Message =
  | { readonly role: 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly reasoning?: string;
      readonly reasoning_details?: readonly unknown[];
      readonly tool_calls?: readonly unknown[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** Messages that a model accepts only together: an assistant's message and the results of its calls. */
type Group = Message[];

/**
 * The newest messages of a conversation, up to `maxCharacters` in total. The newest message of the user and the last
 * group are always included.
 */
export function modelMessages(records: readonly TranscriptRecord[], maxCharacters: number): Message[] {
  const groups = groupsOf(records);
  const sizes = groups.map(sizeOf);
  let excess = sizes.reduce((sum, size) => sum + size, 0) - maxCharacters;
  // Shorten old results before groups are removed, because the model repeats the work of a removed group.
  for (let index = 0; index < groups.length - 1 && excess > 0; index++) {
    groups[index] = groups[index]!.map(withCutResult);
    const size = sizeOf(groups[index]!);
    excess -= sizes[index]! - size;
    sizes[index] = size;
  }
  const turn = groups.findLastIndex((group) => group[0]!.role === 'user');
  const kept = groups.filter((_, index) => {
    if (excess <= 0 || index === turn || index === groups.length - 1) return true;
    excess -= sizes[index]!;
    return false;
  });
  return kept.flat();
}

const withCutResult = (message: Message): Message =>
  message.role === 'tool' && message.content.length > MAX_OLD_RESULT_CHARACTERS
    ? { ...message, content: `${message.content.slice(0, MAX_OLD_RESULT_CHARACTERS)} [cut]` }
    : message;

function groupsOf(records: readonly TranscriptRecord[]): Group[] {
  const results = new Map<string, string>();
  const intents = new Set<string>();
  for (const record of records) {
    if (record.type === 'result') results.set(record.callId, record.content);
    if (record.type === 'intent') intents.add(record.callId);
  }
  const groups: Group[] = [];
  // Send only the reasoning of the current turn. Reasoning is for the vendor that produced it, and earlier turns may
  // have used other models.
  const turn = records.findLastIndex(({ type }) => type === 'turn');
  let isCut = false;
  for (const [index, record] of records.entries()) {
    if (record.type === 'cut') isCut = true;
    if (record.type === 'turn' || record.type === 'steer') {
      groups.push([{ role: 'user', content: isCut ? `${CUT}\n\n${record.text}` : record.text }]);
      isCut = false;
    }
    if (record.type !== 'assistant' || (record.text === '' && record.calls.length === 0)) continue;
    const calls = record.calls.map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: isObject(text) ? text : '{}' },
    }));
    groups.push([
      {
        role: 'assistant',
        content: record.text || null,
        ...(index > turn && { reasoning: record.reasoning, reasoning_details: record.reasoningDetails }),
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      },
      ...record.calls.map(({ id }): Message => {
        const content = results.get(id) ?? (intents.has(id) ? INTERRUPTED : NOT_RUN);
        return { role: 'tool', tool_call_id: id, content };
      }),
    ]);
  }
  return groups;
}

/** Vendors refuse a conversation if the arguments of a call are not an object. */
function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

const sizeOf = (group: Group): number => JSON.stringify(group).length;

import { isObject, isSet, membersOf, textOf, type Members } from '../../formats/members.js';
import type { BoundedTexts } from './bounded-texts.js';

/** A message in the form of OpenTelemetry's conventions for generative AI. */
interface ContentMessage {
  readonly role: string;
  readonly parts: readonly ContentPart[];
  readonly finish_reason?: string;
}

/** A text, a tool call or its result. For other parts, such as media, only the type is recorded. */
type ContentPart =
  | { readonly type: 'text'; readonly content: string }
  | { readonly type: 'tool_call'; readonly name: string; readonly arguments: string }
  | { readonly type: 'tool_call_response'; readonly response: string }
  | { readonly type: string };

/**
 * The texts of a request of any format, in order. `members`: the members of the validated request, with messages in one
 * of the client formats, or with an `input` or `prompt`.
 */
export function inputMessages(members: Members, texts: BoundedTexts): ContentMessage[] {
  const { system, instructions, messages, input, prompt } = members;
  const sent: unknown = messages ?? input ?? prompt;
  const items = Array.isArray(sent) ? (sent as readonly unknown[]) : [sent];
  const found: ContentMessage[] = [];
  for (const item of [{ role: 'system', content: system ?? instructions }, ...items]) {
    if (texts.isTruncated) break;
    const parts = partsOf(item, texts);
    if (parts.length > 0) found.push({ role: roleOf(item), parts });
  }
  return found;
}

/** The text of each choice, as received: reasoning, content and tool calls. */
export function outputMessages(
  choices: readonly string[],
  finishReason: string | undefined,
  texts: BoundedTexts,
): ContentMessage[] {
  return choices.flatMap((choice) => {
    const parts = textPart(choice, texts);
    return parts.length === 0 ? [] : [{ role: 'assistant', parts, finish_reason: finishReason }];
  });
}

/** Roles that vendors accept. Other roles count as `user`, because some vendors refuse and others ignore them. */
const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

function roleOf(item: unknown): string {
  const { role, type } = membersOf(item);
  if (typeof role === 'string' && ROLES.has(role)) return role;
  if (type === 'function_call_output') return 'tool';
  return type === 'function_call' || type === 'reasoning' ? 'assistant' : 'user';
}

/** The texts of a message, of an item, or of a plain text. Token ids have no text. */
function partsOf(item: unknown, texts: BoundedTexts): ContentPart[] {
  if (typeof item === 'string') return textPart(item, texts);
  if (Array.isArray(item)) return item.flatMap((part) => partOf(part, texts));
  const { content, tool_calls: calls, type } = membersOf(item);
  if (isSet(type) && type !== 'message') return partOf(item, texts);
  const parts = typeof content === 'string' || Array.isArray(content) ? partsOf(content, texts) : [];
  return Array.isArray(calls) ? [...parts, ...calls.flatMap((call) => partOf(call, texts))] : parts;
}

function partOf(part: unknown, texts: BoundedTexts): ContentPart[] {
  if (typeof part === 'string') return textPart(part, texts);
  if (!isObject(part) || texts.isTruncated) return [];
  const { type, text, name, input, output, content } = part;
  switch (type) {
    case 'tool_use':
      return callPart(name, input, texts);
    case 'function_call':
      return callPart(name, part['arguments'], texts);
    case 'function':
      return callPart(membersOf(part['function'])['name'], membersOf(part['function'])['arguments'], texts);
    case 'tool_result':
    case 'function_call_output':
      return resultPart(output ?? content, texts);
  }
  if (typeof text === 'string') return textPart(text, texts);
  const named = texts.take(textOf(type) ?? 'unknown');
  return named === undefined ? [] : [{ type: named }];
}

function textPart(text: string, texts: BoundedTexts): ContentPart[] {
  const content = text === '' ? undefined : texts.take(text);
  return content === undefined ? [] : [{ type: 'text', content }];
}

function callPart(name: unknown, args: unknown, texts: BoundedTexts): ContentPart[] {
  const called = texts.take(textOf(name) ?? '');
  const given =
    called === undefined ? undefined : texts.take(typeof args === 'string' ? args : JSON.stringify(args ?? {}));
  return called === undefined || given === undefined ? [] : [{ type: 'tool_call', name: called, arguments: given }];
}

function resultPart(result: unknown, texts: BoundedTexts): ContentPart[] {
  const text = Array.isArray(result)
    ? result.map((part) => textOf(membersOf(part)['text']) ?? '').join('\n')
    : (textOf(result) ?? JSON.stringify(result ?? ''));
  const response = texts.take(text);
  return response === undefined ? [] : [{ type: 'tool_call_response', response }];
}

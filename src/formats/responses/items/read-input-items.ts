import { invalidRequest } from '../../../kernel/errors/errors.js';
import type {
  AssistantPart,
  MediaPart,
  Message,
  TextPart,
  ToolCallPart,
  ToolResult,
  UserPart,
} from '../../conversation.js';
import { MEDIA_READERS, sourceOf } from '../../chat/read-media.js';
import type { Members } from '../../members.js';
import { asList, asMembers, asText, ifGiven, oneOf, readCacheControl } from '../../request-members.js';
import { readReasoningItem } from '../reasoning-content.js';

/** Readers that convert an assistant's item to parts of the canonical form. Each receives the item and its path. */
const ASSISTANT_ITEMS: Readonly<Record<string, (item: Members, path: string) => AssistantPart[]>> = {
  function_call: (item, path) => [readCall(item, path)],
  reasoning: (item, path) => {
    const details = readReasoningItem(item, path);
    return details.length > 0 ? [{ type: 'reasoning', details }] : [];
  },
  image_generation_call: (item, path) => {
    const result = ifGiven(item['result'], `${path}.result`, asText);
    return result ? [{ type: 'image', source: sourceOf(`data:;base64,${result}`, `${path}.result`, 'image') }] : [];
  },
};

/** The type of a message is optional. */
const typeOf = ({ type }: Members): unknown => type ?? 'message';

/** Whether the canonical form can express an item. */
export function isConvertible(item: Members): boolean {
  const type = typeOf(item);
  return type === 'message' || type === 'function_call_output' || Object.hasOwn(ASSISTANT_ITEMS, String(type));
}

/** The messages of `input`. Consecutive items of the assistant become one message. */
export function readInput(input: unknown): readonly Message[] {
  if (typeof input === 'string') return [{ role: 'user', parts: [{ type: 'text', text: input }] }];
  const items = asList(input, 'input');
  if (items.length === 0) throw invalidRequest('input must hold at least one item.');
  const messages: Message[] = [];
  const names = new Map<string, string>();
  let parts: AssistantPart[] | undefined;
  let results: ToolResult[] | undefined;
  for (const [index, value] of items.entries()) {
    const path = `input[${index}]`;
    const item = asMembers(value, path);
    const assistantParts = readAssistantItem(item, path);
    if (assistantParts) {
      for (const part of assistantParts) if (part.type === 'tool_call') names.set(part.id, part.name);
      if (!parts) messages.push({ role: 'assistant', parts: (parts = []) });
      parts.push(...assistantParts);
      results = undefined;
    } else if (item['type'] === 'function_call_output') {
      if (!results) messages.push({ role: 'tool', results: (results = []) });
      results.push(readResult(item, path, names));
      parts = undefined;
    } else {
      messages.push(readMessage(item, path));
      parts = undefined;
      results = undefined;
    }
  }
  return messages.filter((message) => message.role !== 'assistant' || message.parts.length > 0);
}

/** Undefined for items that do not belong to the assistant. */
function readAssistantItem(item: Members, path: string): AssistantPart[] | undefined {
  const type = typeOf(item);
  if (type === 'message' && item['role'] === 'assistant')
    return readParts(item['content'], `${path}.content`).filter((part) => part.type !== 'text' || part.text !== '');
  return Object.hasOwn(ASSISTANT_ITEMS, String(type)) ? ASSISTANT_ITEMS[String(type)]!(item, path) : undefined;
}

function readMessage(item: Members, path: string): Message {
  const role = oneOf('user', 'assistant', 'system', 'developer')(item['role'], `${path}.role`);
  const parts = readParts(item['content'], `${path}.content`);
  if (role === 'user') return { role, parts };
  const other = parts.findIndex(({ type }) => type !== 'text');
  if (other >= 0) throw invalidRequest(`${path}.content[${other}].type must be input_text in a message of this role.`);
  return { role: 'system', parts: parts as TextPart[] };
}

function readCall(item: Members, path: string): ToolCallPart {
  return {
    type: 'tool_call',
    id: asText(item['call_id'], `${path}.call_id`),
    name: asText(item['name'], `${path}.name`),
    arguments: ifGiven(item['arguments'], `${path}.arguments`, asText) ?? '',
  };
}

function readResult(item: Members, path: string, names: ReadonlyMap<string, string>): ToolResult {
  const callId = asText(item['call_id'], `${path}.call_id`);
  return { callId, toolName: names.get(callId), parts: readParts(item['output'], `${path}.output`) };
}

function readParts(content: unknown, path: string): UserPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw invalidRequest(`${path} must be a string or an array.`);
  return content.map((value, index) => {
    const part = asMembers(value, `${path}[${index}]`);
    const known = readPart(part, `${path}[${index}]`);
    const { cache_control: control, prompt_cache_breakpoint: breakpoint } = part;
    const cacheControl =
      ifGiven(control, `${path}[${index}].cache_control`, readCacheControl) ?? (breakpoint ? {} : undefined);
    return cacheControl ? { ...known, cacheControl } : known;
  });
}

const TEXTS = ['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text'];
const MEDIA = ['input_image', 'input_audio', 'input_file', 'input_video'];

function readPart(part: Members, path: string): UserPart {
  const type = asText(part['type'], `${path}.type`);
  if (TEXTS.includes(type)) return { type: 'text', text: asText(part['text'], `${path}.text`) };
  switch (type) {
    case 'refusal':
      return { type: 'text', text: asText(part['refusal'], `${path}.refusal`) };
    case 'input_image':
      return {
        type: 'image',
        source: sourceOf(part['image_url'], `${path}.image_url`, 'image'),
        detail: ifGiven(part['detail'], `${path}.detail`, asText),
      };
    case 'input_audio':
      return MEDIA_READERS['input_audio']!(part, path);
    case 'input_video':
      return { type: 'video', source: sourceOf(part['video_url'], `${path}.video_url`, 'video') };
    case 'input_file':
      return readFile(part, path);
    default:
      throw invalidRequest(`${path}.type must be one of input_text, output_text, refusal, ${MEDIA.join(', ')}.`);
  }
}

function readFile(part: Members, path: string): MediaPart {
  const name = part['file_data'] === undefined || part['file_data'] === null ? 'file_url' : 'file_data';
  return {
    type: 'file',
    source: sourceOf(part[name], `${path}.${name}`, 'application'),
    filename: ifGiven(part['filename'], `${path}.filename`, asText),
  };
}

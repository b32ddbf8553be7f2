import { invalidRequest } from '../../kernel/errors/errors.js';
import {
  REASONING_DETAIL_TYPES,
  type AssistantPart,
  type CacheControl,
  type Message,
  type ReasoningDetail,
  type ToolCallPart,
  type ToolResult,
  type UserPart,
} from '../conversation.js';
import { MEDIA_READERS } from './read-media.js';
import type { Members } from '../members.js';
import { asInteger, asList, asMembers, asText, ifGiven, listOf, oneOf, readCacheControl } from '../request-members.js';

/** Reads the messages of a chat body. Throws invalid_request with the path of the invalid member. */
export function readMessages(value: unknown): readonly Message[] {
  const list = asList(value, 'messages');
  if (list.length === 0) throw invalidRequest('messages must hold at least one message.');
  const toolNames = new Map<string, string>();
  return list.map((element, index) => readMessage(element, `messages[${index}]`, toolNames));
}

/** `toolNames`: the names of earlier calls by id. */
function readMessage(value: unknown, path: string, toolNames: Map<string, string>): Message {
  const message = asMembers(value, path);
  const role = oneOf('system', 'developer', 'user', 'assistant', 'tool')(message.role, `${path}.role`);
  const cacheControl = ifGiven(message.cache_control, `${path}.cache_control`, readCacheControl);
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', parts: withCacheControl(readParts(message.content, `${path}.content`), cacheControl) };
    case 'user':
      return { role, parts: withCacheControl(readParts(message.content, `${path}.content`), cacheControl) };
    case 'assistant': {
      const parts = readAssistantParts(message, path);
      for (const part of parts) if (part.type === 'tool_call') toolNames.set(part.id, part.name);
      return { role, parts: withCacheControl(parts, cacheControl) };
    }
    default:
      return { role, results: [{ ...readToolResult(message, path, toolNames), cacheControl }] };
  }
}

function readToolResult(message: Members, path: string, toolNames: ReadonlyMap<string, string>): ToolResult {
  const callId = asText(message.tool_call_id, `${path}.tool_call_id`);
  const toolName = ifGiven(message.name, `${path}.name`, asText) ?? toolNames.get(callId);
  return { callId, toolName, parts: readParts(message.content, `${path}.content`) };
}

/** Moves the cache breakpoint of a message to the last block that can have one. */
function withCacheControl<P extends AssistantPart>(parts: readonly P[], cacheControl: CacheControl | undefined): P[] {
  const last = cacheControl ? parts.findLastIndex(({ type }) => type !== 'reasoning' && type !== 'tool_call') : -1;
  return parts.map((part, index) => (index === last ? { cacheControl, ...part } : part));
}

function readParts<P extends UserPart>(content: unknown, path: string): P[] {
  if (typeof content === 'string') return [{ type: 'text', text: content } as P];
  if (!Array.isArray(content)) throw invalidRequest(`${path} must be a string or an array.`);
  return content.map((part, index) => readPart(part, `${path}[${index}]`) as P);
}

function readPart(value: unknown, path: string): UserPart {
  const part = asMembers(value, path);
  const type = asText(part.type, `${path}.type`);
  const breakpoint = ifGiven(part.prompt_cache_breakpoint, `${path}.prompt_cache_breakpoint`, asMembers);
  const cacheControl =
    ifGiven(part.cache_control, `${path}.cache_control`, readCacheControl) ?? (breakpoint ? {} : undefined);
  const known: UserPart | undefined =
    type === 'text'
      ? { type, text: asText(part.text, `${path}.text`) }
      : Object.hasOwn(MEDIA_READERS, type)
        ? MEDIA_READERS[type]!(part, path)
        : undefined;
  if (known) return cacheControl ? { ...known, cacheControl } : known;
  throw invalidRequest(`${path}.type must be one of text, ${Object.keys(MEDIA_READERS).join(', ')}.`);
}

function readAssistantParts(message: Members, path: string): AssistantPart[] {
  const details = readReasoning(message, path);
  const refusal = ifGiven(message.refusal, `${path}.refusal`, asText);
  const images = ifGiven(message.images, `${path}.images`, listOf(asMembers)) ?? [];
  return [
    ...(details.length > 0 ? [{ type: 'reasoning', details } as const] : []),
    ...readAssistantContent(message.content, `${path}.content`),
    ...(refusal ? [{ type: 'text', text: refusal } as const] : []),
    ...images.map((image, index) => MEDIA_READERS.image_url!(image, `${path}.images[${index}]`)),
    ...(ifGiven(message.tool_calls, `${path}.tool_calls`, listOf(readToolCall)) ?? []),
  ];
}

function readAssistantContent(content: unknown, path: string): UserPart[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asList(content, path).map((part, index) => {
    const { type, refusal } = asMembers(part, `${path}[${index}]`);
    return type === 'refusal'
      ? { type: 'text', text: asText(refusal, `${path}[${index}].refusal`) }
      : readPart(part, `${path}[${index}]`);
  });
}

function readToolCall(value: unknown, path: string): ToolCallPart {
  const call = asMembers(value, path);
  ifGiven(call.type, `${path}.type`, oneOf('function'));
  const called = asMembers(call.function, `${path}.function`);
  const { arguments: given } = called;
  // Some clients send the parsed arguments.
  const isParsed = typeof given === 'object' && given !== null;
  return {
    type: 'tool_call',
    id: asText(call.id, `${path}.id`),
    name: asText(called.name, `${path}.function.name`),
    arguments: isParsed ? JSON.stringify(given) : (ifGiven(given, `${path}.function.arguments`, asText) ?? ''),
  };
}

/** `reasoning_details`, or the plain reasoning text of vendors without signatures. */
function readReasoning(message: Members, path: string): ReasoningDetail[] {
  const details = ifGiven(message.reasoning_details, `${path}.reasoning_details`, listOf(readDetail));
  if (details && details.length > 0) return details.filter((detail) => detail !== undefined);
  const text =
    ifGiven(message.reasoning, `${path}.reasoning`, asText) ??
    ifGiven(message.reasoning_content, `${path}.reasoning_content`, asText);
  return text ? [{ type: 'reasoning.text', text, format: 'unknown' }] : [];
}

/** Undefined for an unknown type. */
export function readDetail(value: unknown, path: string): ReasoningDetail | undefined {
  const detail = asMembers(value, path);
  const sent = asText(detail.type, `${path}.type`);
  const type = REASONING_DETAIL_TYPES.find((known) => known === sent);
  if (!type) return undefined;
  const text = (name: string): string | undefined => ifGiven(detail[name], `${path}.${name}`, asText);
  return {
    type,
    text: text('text'),
    signature: text('signature'),
    summary: text('summary'),
    data: text('data'),
    id: text('id'),
    format: text('format') ?? 'unknown',
    index: ifGiven(detail.index, `${path}.index`, asInteger),
  };
}

import { invalidRequest } from '../../kernel/errors/errors.js';
import type {
  AssistantPart,
  CacheControl,
  MediaPart,
  ReasoningDetail,
  TextPart,
  ToolResult,
  UserPart,
} from '../conversation.js';
import type { Members } from '../members.js';
import { asFlag, asMembers, asText, ifGiven, listOf, readCacheControl } from '../request-members.js';
import { readRedactedThinking, readThinking } from './carried-reasoning.js';
import { refusalOf } from './conversion-refusal.js';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const HTTP_URL = /^https?:\/\//i;

const cacheControlOf = (block: Members, path: string): { readonly cacheControl?: CacheControl } => {
  const cacheControl = ifGiven(block.cache_control, `${path}.cache_control`, readCacheControl);
  return cacheControl ? { cacheControl } : {};
};

const notCarried = (type: string, path: string): Error => invalidRequest(refusalOf(path, 'blocks', type));

/** Reads a string, or text blocks. */
export const readTexts = (content: unknown, path: string): TextPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(readText)(content, path).slice();

function readText(value: unknown, path: string): TextPart {
  const block = asMembers(value, path);
  const type = asText(block.type, `${path}.type`);
  if (type !== 'text') throw notCarried(type, path);
  return { type, text: asText(block.text, `${path}.text`), ...cacheControlOf(block, path) };
}

/** Reads a string, or blocks that a user can send. */
const readUserParts = (content: unknown, path: string): UserPart[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : listOf(readUserBlock)(content, path).flatMap((parts) => parts);

/** Reads a block that a user can send. A document may become several parts. */
export function readUserBlock(value: unknown, path: string): UserPart[] {
  const block = asMembers(value, path);
  const type = asText(block.type, `${path}.type`);
  switch (type) {
    case 'text':
      return [readText(block, path)];
    case 'image':
      return [
        { type: 'image', source: sourceOf(block.source, `${path}.source`, type), ...cacheControlOf(block, path) },
      ];
    case 'document':
      return readDocument(block, path);
    case 'search_result':
      return readSearchResult(block, path);
    default:
      throw notCarried(type, path);
  }
}

function sourceOf(value: unknown, path: string, block: string): MediaPart['source'] {
  const source = asMembers(value, path);
  const type = asText(source.type, `${path}.type`);
  if (type === 'url') {
    const url = asText(source.url, `${path}.url`);
    if (!HTTP_URL.test(url) || !URL.canParse(url)) throw invalidRequest(`${path}.url must be an http(s) URL.`);
    return { url };
  }
  if (type !== 'base64') throw notCarried(`${block} with a source of type ${type}`, path);
  const base64 = asText(source.data, `${path}.data`);
  if (!BASE64.test(base64)) throw invalidRequest(`${path}.data must be base64.`);
  return { base64, mediaType: asText(source.media_type, `${path}.media_type`).toLowerCase() };
}

function readDocument(block: Members, path: string): UserPart[] {
  const source = asMembers(block.source, `${path}.source`);
  const title = ifGiven(block.title, `${path}.title`, asText);
  const context = ifGiven(block.context, `${path}.context`, asText);
  const described = [title, context].filter((text) => text !== undefined).map(textPart);
  const cached = cacheControlOf(block, path);
  if (source.type === 'text')
    return [...described, { ...textPart(asText(source.data, `${path}.source.data`)), ...cached }];
  if (source.type === 'content') {
    const parts = readUserParts(source.content, `${path}.source.content`);
    return [...described, ...parts.map((part, index) => (index === parts.length - 1 ? { ...part, ...cached } : part))];
  }
  const file: MediaPart = {
    type: 'file',
    source: sourceOf(source, `${path}.source`, 'document'),
    filename: title,
    ...cached,
  };
  return context === undefined ? [file] : [textPart(context), file];
}

function readSearchResult(block: Members, path: string): UserPart[] {
  const title = asText(block.title, `${path}.title`);
  const source = asText(block.source, `${path}.source`);
  const content = readTexts(block.content, `${path}.content`).map(({ text }) => text);
  return [{ ...textPart([title, source, ...content].join('\n')), ...cacheControlOf(block, path) }];
}

const textPart = (text: string): TextPart => ({ type: 'text', text });

export function readToolResult(block: Members, path: string, toolNames: ReadonlyMap<string, string>): ToolResult {
  const callId = asText(block.tool_use_id, `${path}.tool_use_id`);
  return {
    callId,
    toolName: toolNames.get(callId),
    isError: ifGiven(block.is_error, `${path}.is_error`, asFlag),
    parts: ifGiven(block.content, `${path}.content`, readUserParts) ?? [],
    ...cacheControlOf(block, path),
  };
}

/** The parts of an assistant's message. Consecutive reasoning becomes one part. */
export function readAssistantParts(content: unknown, path: string): AssistantPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  const parts: AssistantPart[] = [];
  let details: ReasoningDetail[] = [];
  let index = 0;
  for (const [place, block] of listOf(asMembers)(content, path).entries()) {
    const detail = readReasoning(block, `${path}[${place}]`, index);
    if (!detail) {
      details = [];
      parts.push(readAssistantBlock(block, `${path}[${place}]`));
      continue;
    }
    index++;
    if (details.length === 0) parts.push({ type: 'reasoning', details });
    details.push(detail);
  }
  return parts;
}

function readReasoning(block: Members, path: string, index: number): ReasoningDetail | undefined {
  if (block.type === 'redacted_thinking') return readRedactedThinking(asText(block.data, `${path}.data`), index);
  if (block.type !== 'thinking') return undefined;
  const signature = ifGiven(block.signature, `${path}.signature`, asText) ?? '';
  return readThinking(asText(block.thinking, `${path}.thinking`), signature, index);
}

function readAssistantBlock(block: Members, path: string): AssistantPart {
  const type = asText(block.type, `${path}.type`);
  switch (type) {
    case 'text':
      return readText(block, path);
    case 'image':
      return readUserBlock(block, path)[0]!;
    case 'tool_use':
      return {
        type: 'tool_call',
        id: asText(block.id, `${path}.id`),
        name: asText(block.name, `${path}.name`),
        arguments: JSON.stringify(ifGiven(block.input, `${path}.input`, asMembers) ?? {}),
      };
    default:
      throw notCarried(type, path);
  }
}

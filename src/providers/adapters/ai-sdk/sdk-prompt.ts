import { createHash } from 'node:crypto';
import { toolInputOf } from '../../../formats/messages/write-body.js';
import type { LanguageModelV4FilePart, LanguageModelV4Message, LanguageModelV4TextPart } from '@ai-sdk/provider';
import type {
  AssistantMessage,
  CacheControl,
  MediaPart,
  Message,
  ToolResult,
  UserPart,
} from '../../../formats/conversation.js';
import { signedParts, type Signed } from './sdk-signatures.js';
import type { SdkTextVendor } from './sdk-text-vendors.js';

type SdkOptions = LanguageModelV4TextPart['providerOptions'];
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content'];
type ToolOutput = Extract<ToolContent[number], { type: 'tool-result' }>['output'];

/** Media types by the extension in the path of a URL, for vendors that fetch URLs. */
const TYPES_BY_ENDING: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  pdf: 'application/pdf',
  txt: 'text/plain',
};
const DEFAULT_TYPES = { image: 'image/*', video: 'video/mp4', audio: 'audio/mpeg', file: 'application/pdf' };

/** The messages of a conversation in the form that packages accept. */
export function sdkPrompt(
  messages: readonly Message[],
  vendor: SdkTextVendor,
  wholeCacheControl?: CacheControl,
): LanguageModelV4Message[] {
  const prompt: LanguageModelV4Message[] = [];
  let isLate = false;
  for (const message of messages) {
    if (message.role === 'system') {
      prompt.push(...systemMessages(message.parts, isLate && !vendor.takesLateSystem, vendor));
      continue;
    }
    isLate = true;
    if (message.role === 'user') prompt.push({ role: 'user', content: userContent(message.parts, vendor) });
    else if (message.role === 'assistant')
      prompt.push({ role: 'assistant', content: assistantContent(message, vendor) });
    else {
      const results = message.results.map((result) => toolResult(result, vendor));
      const last = prompt.at(-1);
      // The results of parallel calls belong to one message.
      if (last?.role === 'tool') last.content.push(...results);
      else prompt.push({ role: 'tool', content: results });
    }
  }
  const last = prompt.at(-1);
  if (wholeCacheControl && last && !hasBreakpoint(messages.at(-1)!))
    last.providerOptions = cacheOptions(wholeCacheControl, vendor);
  return prompt;
}

/**
 * One system message for each block, so that each block can be cached. With `asUser`, one user message with all blocks,
 * for vendors that accept system messages only at the start.
 */
function systemMessages(
  parts: readonly { readonly text: string; readonly cacheControl?: CacheControl }[],
  asUser: boolean,
  vendor: SdkTextVendor,
): LanguageModelV4Message[] {
  if (asUser) {
    const content = parts.map(({ text, cacheControl }) => textPart(text, cacheOptions(cacheControl, vendor)));
    return [{ role: 'user', content }];
  }
  return parts.map(({ text, cacheControl }) => ({
    role: 'system',
    content: text,
    providerOptions: cacheOptions(cacheControl, vendor),
  }));
}

const userContent = (
  parts: readonly UserPart[],
  vendor: SdkTextVendor,
): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] =>
  parts.map((part) => {
    const options = cacheOptions(part.cacheControl, vendor);
    return part.type === 'text' ? textPart(part.text, options) : filePart(part, options);
  });

function assistantContent({ parts }: AssistantMessage, vendor: SdkTextVendor): AssistantContent {
  return signedParts(parts, vendor.signatures).map((signed: Signed): AssistantContent[number] => {
    const { part } = signed;
    const options = merged(
      signed.options,
      part.type === 'reasoning' || part.type === 'tool_call' ? undefined : cacheOptions(part.cacheControl, vendor),
    );
    switch (part.type) {
      case 'reasoning':
        return { type: 'reasoning', text: part.text, providerOptions: options };
      case 'text':
        return textPart(part.text, options);
      case 'tool_call':
        return {
          type: 'tool-call',
          toolCallId: toolIdOf(part.id, vendor),
          toolName: part.name,
          input: toolInputOf(part.arguments),
          providerOptions: options,
        };
      default:
        return filePart(part, options);
    }
  });
}

/** The id of a tool call, for the call and its result. Replaces an id that the vendor refuses by a hash of the id. */
const toolIdOf = (id: string, { toolIds }: SdkTextVendor): string =>
  !toolIds || toolIds.test(id) ? id : `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;

function toolResult(result: ToolResult, vendor: SdkTextVendor): ToolContent[number] {
  const { callId, toolName, parts, cacheControl } = result;
  const breakpoint = cacheControl ?? parts.findLast((part) => part.cacheControl)?.cacheControl;
  return {
    type: 'tool-result',
    toolCallId: toolIdOf(callId, vendor),
    toolName: toolName ?? callId,
    output: outputOf(result),
    providerOptions: cacheOptions(breakpoint, vendor),
  };
}

function outputOf({ parts, isError }: ToolResult): ToolOutput {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length === parts.length) return { type: isError ? 'error-text' : 'text', value: texts.join('\n') };
  return {
    type: 'content',
    value: parts.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : filePart(part, undefined))),
  };
}

const textPart = (text: string, providerOptions: SdkOptions): LanguageModelV4TextPart => ({
  type: 'text',
  text,
  providerOptions,
});

function filePart({ type, source, filename }: MediaPart, providerOptions: SdkOptions): LanguageModelV4FilePart {
  if (!('url' in source)) {
    const { base64: data, mediaType } = source;
    return { type: 'file', mediaType, filename, data: { type: 'data', data }, providerOptions };
  }
  const url = new URL(source.url);
  const ending = /\.([a-z0-9]+)$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? '';
  const mediaType = TYPES_BY_ENDING[ending] ?? DEFAULT_TYPES[type];
  return { type: 'file', mediaType, filename, data: { type: 'url', url }, providerOptions };
}

const cacheOptions = (control: CacheControl | undefined, vendor: SdkTextVendor): SdkOptions =>
  control && (vendor.cacheOptions?.(control.ttl) as SdkOptions);

function merged(first: SdkOptions, second: SdkOptions): SdkOptions {
  if (!first || !second) return first ?? second;
  const namespaces = new Set([...Object.keys(first), ...Object.keys(second)]);
  return Object.fromEntries([...namespaces].map((name) => [name, { ...first[name], ...second[name] }]));
}

function hasBreakpoint(message: Message): boolean {
  if (message.role === 'tool') {
    const last = message.results.at(-1);
    return (last?.cacheControl ?? last?.parts.find((part) => part.cacheControl)) !== undefined;
  }
  const last = message.parts.at(-1);
  return last !== undefined && 'cacheControl' in last && last.cacheControl !== undefined;
}

import { invalidRequest } from '../../kernel/errors/errors.js';
import { audioFormatOf } from '../media/audio-format.js';
import type {
  AssistantMessage,
  CacheControl,
  Conversation,
  MediaPart,
  Message,
  ReasoningDetail,
  ResponseFormat,
  SamplingSettings,
  Tool,
  ToolResult,
  UserPart,
} from '../conversation.js';

/** The member of the chat format for each setting. The maximum of output tokens is absent, because it has two names. */
export const SETTING_MEMBERS = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  minP: 'min_p',
  topA: 'top_a',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  repetitionPenalty: 'repetition_penalty',
  seed: 'seed',
  stop: 'stop',
  logitBias: 'logit_bias',
  logprobs: 'logprobs',
  topLogprobs: 'top_logprobs',
  n: 'n',
} as const satisfies Record<Exclude<keyof SamplingSettings, 'maxOutputTokens'>, string>;

type SettingName = keyof typeof SETTING_MEMBERS;

/**
 * Converts a conversation to a body of `/chat/completions`, without the model and without the gateway's own members.
 * Reading the body returns the conversation, with three exceptions: each tool result becomes a message, the media of
 * tool results become a user message, and the parts of an assistant's message are ordered (reasoning, text, media, tool
 * calls). The format cannot express whether a tool result is an error, so that is omitted. Members without a value are
 * undefined.
 */
export function writeChatRequest(conversation: Conversation): Record<string, unknown> {
  const { settings, reasoning, modalities, toolChoice, responseFormat, audioOutput, tools } = conversation;
  return {
    messages: writeMessages(conversation.messages),
    tools: tools.length > 0 ? tools.map(writeTool) : undefined,
    tool_choice:
      typeof toolChoice === 'object' ? { type: 'function', function: { name: toolChoice.toolName } } : toolChoice,
    parallel_tool_calls: conversation.parallelToolCalls,
    response_format: responseFormat && writeResponseFormat(responseFormat),
    reasoning: reasoning && {
      effort: reasoning.effort,
      max_tokens: reasoning.maxTokens,
      summary: reasoning.summary,
      exclude: reasoning.exclude || undefined,
    },
    max_completion_tokens: settings.maxOutputTokens,
    ...Object.fromEntries(
      Object.entries(SETTING_MEMBERS).map(([setting, member]) => [member, settings[setting as SettingName]]),
    ),
    modalities: modalities.length > 0 ? ['text', ...modalities] : undefined,
    audio: audioOutput && { voice: audioOutput.voice, format: audioOutput.format },
    cache_control: writeCacheControl(conversation.cacheControl),
    service_tier: conversation.serviceTier,
    verbosity: conversation.verbosity,
    prompt_cache_key: conversation.promptCacheKey,
  };
}

function writeMessages(messages: readonly Message[]): object[] {
  const names = new Map<string, string>();
  let media: MediaPart[] = [];
  return messages.flatMap((message, index): object[] => {
    if (message.role === 'tool') {
      const written = message.results.map((result) => writeToolResult(result, names));
      media.push(...message.results.flatMap(({ parts }) => parts.filter((part) => part.type !== 'text')));
      // No other message may be between a message of the assistant and the results of its tool calls.
      if (media.length === 0 || messages[index + 1]?.role === 'tool') return written;
      const content = writeParts(media);
      media = [];
      return [...written, { role: 'user', content }];
    }
    if (message.role !== 'assistant') return [{ role: message.role, content: writeParts(message.parts) }];
    for (const part of message.parts) if (part.type === 'tool_call') names.set(part.id, part.name);
    return [writeAssistant(message)];
  });
}

/** A message with the text of a result. In this format, messages with the role `tool` have no other parts. */
const writeToolResult = (
  { callId, toolName, parts, cacheControl }: ToolResult,
  names: ReadonlyMap<string, string>,
) => ({
  role: 'tool',
  tool_call_id: callId,
  name: names.get(callId) === toolName ? undefined : toolName,
  content: writeParts(parts.filter(({ type }) => type === 'text')),
  cache_control: writeCacheControl(cacheControl),
});

function writeAssistant({ parts }: AssistantMessage): object {
  const details = parts.flatMap((part) => (part.type === 'reasoning' ? part.details : []));
  const texts = parts.filter((part) => part.type === 'text');
  const calls = parts.filter((part) => part.type === 'tool_call');
  const media = parts.filter((part) => part.type !== 'text' && part.type !== 'tool_call' && part.type !== 'reasoning');
  const images = media.filter(({ type, cacheControl }) => type === 'image' && !cacheControl);
  const others = media.filter((part) => !images.includes(part));
  const content = [...texts, ...others];
  const reasoning = readableReasoning(details);
  return {
    role: 'assistant',
    content: content.length === 0 ? null : writeParts(content),
    reasoning: reasoning === '' ? undefined : reasoning,
    reasoning_details: details.length > 0 ? details : undefined,
    images: images.length > 0 ? images.map(writeMedia) : undefined,
    tool_calls:
      calls.length > 0
        ? calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.arguments },
          }))
        : undefined,
  };
}

/** The readable part of the reasoning. */
const readableReasoning = (details: readonly ReasoningDetail[]): string =>
  details.map(({ text, summary }) => text ?? summary ?? '').join('');

/** A single text without other parts becomes a string. */
function writeParts(parts: readonly UserPart[]): string | object[] {
  const [first] = parts;
  // Vendors refuse an empty list.
  if (!first) return '';
  if (parts.length === 1 && first.type === 'text' && !first.cacheControl) return first.text;
  return parts.map((part) => {
    const cacheControl = writeCacheControl(part.cacheControl);
    const written = part.type === 'text' ? { type: part.type, text: part.text } : writeMedia(part);
    return cacheControl ? { ...written, cache_control: cacheControl } : written;
  });
}

/** The corresponding part of the chat format. */
function writeMedia(part: MediaPart): object {
  const { source, filename, detail } = part;
  const url = 'url' in source ? source.url : `data:${source.mediaType};base64,${source.base64}`;
  switch (part.type) {
    case 'image':
      return { type: 'image_url', image_url: { url, detail } };
    case 'video':
      return { type: 'video_url', video_url: { url } };
    case 'file':
      return { type: 'file', file: { filename, file_data: url } };
    default:
      if ('url' in source) throw invalidRequest('Audio by URL cannot be sent to this endpoint: send it as base64.');
      return { type: 'input_audio', input_audio: { data: source.base64, format: audioFormatOf(source.mediaType) } };
  }
}

const writeCacheControl = (control: CacheControl | undefined): object | undefined =>
  control && { type: 'ephemeral', ttl: control.ttl };

const writeTool = ({ name, description, parameters, strict, cacheControl }: Tool): object => ({
  type: 'function',
  function: { name, description, parameters, strict },
  cache_control: writeCacheControl(cacheControl),
});

function writeResponseFormat(format: ResponseFormat): object {
  if (format.type !== 'json_schema') return { type: format.type === 'json' ? 'json_object' : 'text' };
  const { name, schema, description, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}

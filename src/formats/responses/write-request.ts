import { invalidRequest } from '../../kernel/errors/errors.js';
import { audioFormatOf } from '../media/audio-format.js';
import type {
  AssistantMessage,
  Conversation,
  Message,
  ReasoningDetail,
  ResponseFormat,
  Tool,
  ToolResult,
  UserPart,
} from '../conversation.js';

/**
 * Converts a conversation to a body of `/responses`, without the model and without the gateway's own members.
 * `reasoningFormat`: the format of the reasoning to send back. Settings that the format cannot express are omitted.
 * Throws invalid_request for content that the format cannot express. Members without a value are undefined.
 */
export function writeResponsesRequest(conversation: Conversation, reasoningFormat: string): Record<string, unknown> {
  const { settings, reasoning, toolChoice, responseFormat, tools, verbosity } = conversation;
  return {
    input: conversation.messages.flatMap((message) => writeMessage(message, reasoningFormat)),
    tools: tools.length > 0 ? tools.map(writeTool) : undefined,
    tool_choice: typeof toolChoice === 'object' ? { type: 'function', name: toolChoice.toolName } : toolChoice,
    parallel_tool_calls: conversation.parallelToolCalls,
    text:
      responseFormat || verbosity !== undefined
        ? { format: responseFormat && writeResponseFormat(responseFormat), verbosity }
        : undefined,
    reasoning: reasoning && {
      effort: reasoning.effort,
      max_tokens: reasoning.maxTokens,
      summary: reasoning.summary,
    },
    // The vendor stores nothing, so its reasoning could not be sent back without this member.
    include: ['reasoning.encrypted_content'],
    max_output_tokens: settings.maxOutputTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    service_tier: conversation.serviceTier,
    prompt_cache_key: conversation.promptCacheKey,
  };
}

function writeMessage(message: Message, reasoningFormat: string): object[] {
  switch (message.role) {
    case 'tool':
      return message.results.map(writeToolResult);
    case 'assistant':
      return writeAssistant(message, reasoningFormat);
    default:
      return [{ type: 'message', role: message.role, content: message.parts.map(writePart) }];
  }
}

const writeToolResult = ({ callId, parts }: ToolResult): object => ({
  type: 'function_call_output',
  call_id: callId,
  output: parts.every(({ type }) => type === 'text')
    ? parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    : parts.map(writePart),
});

/** One item for each sequence of texts, each tool call, and each item of reasoning with its encrypted content. */
function writeAssistant({ parts }: AssistantMessage, reasoningFormat: string): object[] {
  const items: object[] = [];
  let content: object[] | undefined;
  for (const part of parts) {
    if (part.type === 'text') {
      if (!content) items.push({ type: 'message', role: 'assistant', content: (content = []) });
      content.push({ type: 'output_text', text: part.text, annotations: [] });
      continue;
    }
    content = undefined;
    if (part.type === 'reasoning') items.push(...writeReasoning(part.details, reasoningFormat));
    else if (part.type === 'tool_call')
      items.push({ type: 'function_call', call_id: part.id, name: part.name, arguments: part.arguments });
    else throw invalidRequest(`An assistant message with a part of type ${part.type} cannot be sent to this endpoint.`);
  }
  return items;
}

/** An encrypted entry and the entries before it are one item of the vendor. Entries of other formats are omitted. */
function writeReasoning(details: readonly ReasoningDetail[], reasoningFormat: string): object[] {
  const items: object[] = [];
  const summaries = new Map<number | undefined, string>();
  for (const { type, format, summary, data, id, index } of details) {
    if (format !== reasoningFormat) continue;
    if (type === 'reasoning.summary') summaries.set(index, (summaries.get(index) ?? '') + (summary ?? ''));
    if (type !== 'reasoning.encrypted' || data === undefined) continue;
    const summaryParts = [...summaries.values()].map((text) => ({ type: 'summary_text', text }));
    items.push({ type: 'reasoning', id, summary: summaryParts, encrypted_content: data });
    summaries.clear();
  }
  return items;
}

function writePart(part: UserPart): object {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  const { type, source, filename, detail } = part;
  const dataUrl = 'url' in source ? source.url : `data:${source.mediaType};base64,${source.base64}`;
  if (type === 'image') return { type: 'input_image', image_url: dataUrl, detail: detail ?? 'auto' };
  if (type === 'file')
    return 'url' in source
      ? { type: 'input_file', file_url: source.url }
      : { type: 'input_file', filename: filename ?? 'file', file_data: dataUrl };
  if (type === 'video' || 'url' in source)
    throw invalidRequest(
      `Content of type ${type}${type === 'audio' ? ' by URL' : ''} cannot be sent to this endpoint.`,
    );
  return { type: 'input_audio', input_audio: { data: source.base64, format: audioFormatOf(source.mediaType) } };
}

/** An absent `strict` means true in this format, and false in the canonical form. */
const writeTool = ({ name, description, parameters, strict }: Tool): object => ({
  type: 'function',
  name,
  description,
  parameters,
  strict: strict ?? false,
});

function writeResponseFormat(format: ResponseFormat): object {
  if (format.type !== 'json_schema') return { type: format.type === 'json' ? 'json_object' : 'text' };
  const { name, schema, description, strict } = format;
  return { type: 'json_schema', name, description, schema, strict };
}

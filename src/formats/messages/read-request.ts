import { invalidRequest } from '../../kernel/errors/errors.js';
import {
  EFFORTS,
  type Conversation,
  type Message,
  type ReasoningSettings,
  type ResponseFormat,
  type Tool,
} from '../conversation.js';
import type { Members } from '../members.js';
import {
  asCount,
  asFlag,
  asInteger,
  asList,
  asMembers,
  asNumber,
  asText,
  ifGiven,
  listOf,
  oneOf,
  readCacheControl,
} from '../request-members.js';
import { conversionRefusal } from './conversion-refusal.js';
import { readAssistantParts, readTexts, readToolResult, readUserBlock } from './read-blocks.js';

/** The effort if `thinking.type` is `adaptive` and no effort is set. */
const DEFAULT_EFFORT = 'medium';

/**
 * Converts a body of `/messages` to the canonical form. Members without a counterpart are omitted. Throws only
 * invalid_request, with the path of the invalid member.
 */
export function readConversation(body: Members): Conversation {
  const refusal = conversionRefusal(body);
  if (refusal !== undefined) throw invalidRequest(refusal);
  const choice = ifGiven(body.tool_choice, 'tool_choice', asMembers);
  const isSerial = choice && ifGiven(choice.disable_parallel_tool_use, 'tool_choice.disable_parallel_tool_use', asFlag);
  const tier = ifGiven(body.service_tier, 'service_tier', asText);
  return {
    messages: readMessages(body),
    tools: ifGiven(body.tools, 'tools', listOf(readTool)) ?? [],
    toolChoice: choice && readToolChoice(choice),
    parallelToolCalls: isSerial === undefined ? undefined : !isSerial,
    responseFormat: readOutputFormat(body),
    reasoning: readThinkingSettings(body),
    settings: {
      maxOutputTokens: ifGiven(body.max_tokens, 'max_tokens', asCount),
      temperature: ifGiven(body.temperature, 'temperature', asNumber),
      topP: ifGiven(body.top_p, 'top_p', asNumber),
      topK: ifGiven(body.top_k, 'top_k', asInteger),
      stop: ifGiven(body.stop_sequences, 'stop_sequences', listOf(asText)),
    },
    modalities: [],
    cacheControl: ifGiven(body.cache_control, 'cache_control', readCacheControl),
    serviceTier: tier === 'standard_only' ? 'default' : tier,
  };
}

function readMessages({ system, messages }: Members): Message[] {
  const list = asList(messages, 'messages');
  if (list.length === 0) throw invalidRequest('messages must hold at least one message.');
  const parts = ifGiven(system, 'system', readTexts) ?? [];
  const toolNames = new Map<string, string>();
  return [
    ...(parts.length > 0 ? [{ role: 'system', parts } as const] : []),
    ...list.flatMap((message, index) => readMessage(asMembers(message, `messages[${index}]`), index, toolNames)),
  ];
}

/** Returns several messages if one message contains both tool results and other blocks. */
function readMessage({ role, content }: Members, index: number, toolNames: Map<string, string>): Message[] {
  const path = `messages[${index}].content`;
  switch (oneOf('user', 'assistant', 'system')(role, `messages[${index}].role`)) {
    case 'system':
      return [{ role: 'system', parts: readTexts(content, path) }];
    case 'assistant': {
      const parts = readAssistantParts(content, path);
      for (const part of parts) if (part.type === 'tool_call') toolNames.set(part.id, part.name);
      return [{ role: 'assistant', parts }];
    }
    default:
      return readUserMessage(content, path, toolNames);
  }
}

function readUserMessage(content: unknown, path: string, toolNames: ReadonlyMap<string, string>): Message[] {
  if (typeof content === 'string') return [{ role: 'user', parts: [{ type: 'text', text: content }] }];
  const messages: Message[] = [];
  for (const [place, block] of listOf(asMembers)(content, path).entries()) {
    const last = messages.at(-1);
    if (block.type === 'tool_result') {
      const result = readToolResult(block, `${path}[${place}]`, toolNames);
      if (last?.role === 'tool') (last.results as (typeof result)[]).push(result);
      else messages.push({ role: 'tool', results: [result] });
      continue;
    }
    const parts = readUserBlock(block, `${path}[${place}]`);
    if (last?.role === 'user') (last.parts as typeof parts).push(...parts);
    else messages.push({ role: 'user', parts });
  }
  return messages;
}

function readTool(value: unknown, path: string): Tool {
  const tool = asMembers(value, path);
  return {
    name: asText(tool.name, `${path}.name`),
    description: ifGiven(tool.description, `${path}.description`, asText),
    parameters: asMembers(tool.input_schema, `${path}.input_schema`),
    strict: ifGiven(tool.strict, `${path}.strict`, asFlag),
    cacheControl: ifGiven(tool.cache_control, `${path}.cache_control`, readCacheControl),
  };
}

function readToolChoice({ type, name }: Members): Conversation['toolChoice'] {
  switch (oneOf('auto', 'any', 'tool', 'none')(type, 'tool_choice.type')) {
    case 'any':
      return 'required';
    case 'tool':
      return { toolName: asText(name, 'tool_choice.name') };
    case 'none':
      return 'none';
    default:
      return 'auto';
  }
}

/**
 * Returns the settings in `thinking` and `output_config.effort`; undefined if neither is set. The effort is used only
 * if `thinking` is absent or `adaptive`.
 */
function readThinkingSettings(body: Members): ReasoningSettings | undefined {
  const config = ifGiven(body.output_config, 'output_config', asMembers);
  const effort = ifGiven(config?.effort, 'output_config.effort', oneOf(...EFFORTS));
  const thinking = ifGiven(body.thinking, 'thinking', asMembers);
  if (!thinking) return effort === undefined ? undefined : { effort, exclude: false };
  const exclude = thinking.display === 'omitted';
  switch (oneOf('enabled', 'adaptive', 'disabled')(thinking.type, 'thinking.type')) {
    case 'disabled':
      return { effort: 'none', exclude };
    case 'adaptive':
      return { effort: effort ?? DEFAULT_EFFORT, exclude };
    default:
      return { maxTokens: asCount(thinking.budget_tokens, 'thinking.budget_tokens'), exclude };
  }
}

/** Reads `output_config.format`, or its former name `output_format`. */
function readOutputFormat(body: Members): ResponseFormat | undefined {
  const config = ifGiven(body.output_config, 'output_config', asMembers);
  const path = config?.format === undefined ? 'output_format' : 'output_config.format';
  const format = ifGiven(config?.format ?? body.output_format, path, asMembers);
  if (!format) return undefined;
  oneOf('json_schema')(format.type, `${path}.type`);
  return { type: 'json_schema', name: 'response', schema: asMembers(format.schema, `${path}.schema`), strict: true };
}

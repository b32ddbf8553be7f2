import { invalidRequest } from '../../kernel/errors/errors.js';
import type { Conversation, Message, ResponseFormat, SamplingSettings, Tool } from '../conversation.js';
import { NO_PARAMETERS, readJsonSchema, readSettings } from '../chat/read-request.js';
import { readReasoningSettings } from '../chat/read-reasoning.js';
import { asCount, asFlag, asMembers, asText, ifGiven, listOf, oneOf, readCacheControl } from '../request-members.js';
import { isConvertible, readInput } from './items/read-input-items.js';
import { elementsIn, membersOf, type Members } from '../members.js';

const MAX_QUOTED_CHARACTERS = 64;

/**
 * Converts a body of `/responses` to the canonical form. Members without a counterpart are omitted. Items and tools of
 * types that the canonical form cannot express are refused. Throws only invalid_request, with the path of the invalid
 * member.
 */
export function readResponsesRequest(body: Members): Conversation {
  const refusal = conversionRefusal(body);
  if (refusal !== undefined) throw invalidRequest(refusal);
  const text = ifGiven(body['text'], 'text', asMembers) ?? {};
  const instructions = ifGiven(body['instructions'], 'instructions', asText);
  const modalities = ifGiven(body['modalities'], 'modalities', listOf(oneOf('text', 'image'))) ?? [];
  const system: Message[] = instructions ? [{ role: 'system', parts: [{ type: 'text', text: instructions }] }] : [];
  return {
    messages: [...system, ...readInput(body['input'])],
    tools: ifGiven(body['tools'], 'tools', listOf(readTool)) ?? [],
    toolChoice: ifGiven(body['tool_choice'], 'tool_choice', readToolChoice),
    parallelToolCalls: ifGiven(body['parallel_tool_calls'], 'parallel_tool_calls', asFlag),
    responseFormat: ifGiven(text['format'], 'text.format', readFormat),
    reasoning: readReasoningSettings(body),
    settings: readResponsesSettings(body),
    modalities: modalities.filter((modality) => modality !== 'text'),
    cacheControl: ifGiven(body['cache_control'], 'cache_control', readCacheControl),
    serviceTier: ifGiven(body['service_tier'], 'service_tier', asText),
    verbosity: ifGiven(text['verbosity'], 'text.verbosity', asText),
    promptCacheKey: ifGiven(body['prompt_cache_key'], 'prompt_cache_key', asText),
  };
}

function readResponsesSettings(body: Members): SamplingSettings {
  const settings = readSettings({ ...body, n: undefined });
  const maxOutputTokens = ifGiven(body['max_output_tokens'], 'max_output_tokens', asCount);
  // This format has no `logprobs`. Vendors of the chat format refuse `top_logprobs` without it.
  const logprobs = settings.topLogprobs === undefined ? settings.logprobs : true;
  return { ...settings, logprobs, maxOutputTokens };
}

/**
 * An error message for the first item, tool or tool choice that only a vendor of this format can read; undefined if
 * there is none.
 */
export function conversionRefusal({ input, tools, tool_choice: choice }: Members): string | undefined {
  const item = elementsIn(input).findIndex((value) => !isConvertible(membersOf(value)));
  if (item >= 0) return refusalOf(`input[${item}]`, 'items', elementsIn(input)[item]);
  const isFunction = (tool: unknown): boolean => membersOf(tool)['type'] === 'function';
  const tool = elementsIn(tools).findIndex((value) => !isFunction(value));
  if (tool >= 0) return refusalOf(`tools[${tool}]`, 'tools', elementsIn(tools)[tool]);
  const chosen = membersOf(choice)['type'];
  return chosen === undefined || chosen === 'function' ? undefined : refusalOf('tool_choice', 'choices', choice);
}

function refusalOf(path: string, what: string, value: unknown): string {
  const { type } = membersOf(value);
  const quoted = typeof type === 'string' ? `"${type.slice(0, MAX_QUOTED_CHARACTERS)}"` : 'unknown type';
  return `${path}: the providers of this model take no ${what} of type ${quoted}.`;
}

function readTool(value: unknown, path: string): Tool {
  const tool = asMembers(value, path);
  return {
    name: asText(tool['name'], `${path}.name`),
    description: ifGiven(tool['description'], `${path}.description`, asText),
    parameters: ifGiven(tool['parameters'], `${path}.parameters`, asMembers) ?? NO_PARAMETERS,
    strict: ifGiven(tool['strict'], `${path}.strict`, asFlag),
    cacheControl: ifGiven(tool['cache_control'], `${path}.cache_control`, readCacheControl),
  };
}

function readToolChoice(value: unknown, path: string): Conversation['toolChoice'] {
  if (typeof value !== 'object') return oneOf('none', 'auto', 'required')(value, path);
  return { toolName: asText(asMembers(value, path)['name'], `${path}.name`) };
}

function readFormat(value: unknown, path: string): ResponseFormat {
  const format = asMembers(value, path);
  const type = oneOf('text', 'json_object', 'json_schema')(format['type'], `${path}.type`);
  if (type === 'text') return { type };
  return type === 'json_object' ? { type: 'json' } : readJsonSchema(format, path);
}

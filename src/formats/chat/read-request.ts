import { invalidRequest } from '../../kernel/errors/errors.js';
import type { Conversation, ResponseFormat, SamplingSettings, Tool } from '../conversation.js';
import { SETTING_MEMBERS } from './write-request.js';
import { readMessages } from './read-messages.js';
import { readReasoningSettings } from './read-reasoning.js';
import type { Members } from '../members.js';
import {
  asCount,
  asFlag,
  asInteger,
  asMembers,
  asNumber,
  asText,
  asTexts,
  ifGiven,
  listOf,
  oneOf,
  readCacheControl,
  type ReadMember,
} from '../request-members.js';

const SETTING_READERS: Readonly<Record<keyof typeof SETTING_MEMBERS, ReadMember<unknown>>> = {
  temperature: asNumber,
  topP: asNumber,
  topK: asInteger,
  minP: asNumber,
  topA: asNumber,
  frequencyPenalty: asNumber,
  presencePenalty: asNumber,
  repetitionPenalty: asNumber,
  seed: asInteger,
  stop: asTexts,
  logitBias: readLogitBias,
  logprobs: asFlag,
  topLogprobs: asInteger,
  n: asCount,
};

/** The schema of a tool that has no parameters. */
export const NO_PARAMETERS = { type: 'object', properties: {} };

/**
 * Converts a body of `/chat/completions` to the canonical form. Members without a counterpart are omitted. Throws only
 * invalid_request, with the path of the invalid member. Parts with a `file_id` must have been replaced before.
 */
export function readConversation(body: Members): Conversation {
  const audio = ifGiven(body.audio, 'audio', asMembers);
  const modalities = ifGiven(body.modalities, 'modalities', listOf(oneOf('text', 'image', 'audio'))) ?? [];
  return {
    messages: readMessages(body.messages),
    tools: ifGiven(body.tools, 'tools', listOf(readTool)) ?? [],
    toolChoice: ifGiven(body.tool_choice, 'tool_choice', readToolChoice),
    parallelToolCalls: ifGiven(body.parallel_tool_calls, 'parallel_tool_calls', asFlag),
    responseFormat: ifGiven(body.response_format, 'response_format', readResponseFormat),
    reasoning: readReasoningSettings(body),
    settings: readSettings(body),
    modalities: modalities.filter((modality) => modality !== 'text'),
    audioOutput: audio && { voice: readVoice(audio.voice), format: asText(audio.format, 'audio.format') },
    cacheControl: ifGiven(body.cache_control, 'cache_control', readCacheControl),
    serviceTier: ifGiven(body.service_tier, 'service_tier', asText),
    verbosity: ifGiven(body.verbosity, 'verbosity', asText),
    promptCacheKey: ifGiven(body.prompt_cache_key, 'prompt_cache_key', asText),
  };
}

export function readSettings(body: Members): SamplingSettings {
  const settings: Record<string, unknown> = {};
  for (const setting of Object.keys(SETTING_READERS) as (keyof typeof SETTING_MEMBERS)[]) {
    const member = SETTING_MEMBERS[setting];
    settings[setting] = ifGiven<unknown>(body[member], member, SETTING_READERS[setting]);
  }
  const maxOutputTokens =
    ifGiven(body.max_completion_tokens, 'max_completion_tokens', asCount) ??
    ifGiven(body.max_tokens, 'max_tokens', asCount);
  return { ...settings, maxOutputTokens };
}

function readTool(value: unknown, path: string): Tool {
  const tool = asMembers(value, path);
  if (tool.type !== 'function')
    throw invalidRequest(`${path}.type must be function: this endpoint has no tools of other types.`);
  const described = asMembers(tool.function, `${path}.function`);
  const cacheControl = tool.cache_control ?? described.cache_control;
  return {
    name: asText(described.name, `${path}.function.name`),
    description: ifGiven(described.description, `${path}.function.description`, asText),
    parameters: ifGiven(described.parameters, `${path}.function.parameters`, asMembers) ?? NO_PARAMETERS,
    strict: ifGiven(described.strict, `${path}.function.strict`, asFlag),
    cacheControl: ifGiven(cacheControl, `${path}.cache_control`, readCacheControl),
  };
}

function readToolChoice(value: unknown, path: string): Conversation['toolChoice'] {
  if (typeof value !== 'object') return oneOf('none', 'auto', 'required')(value, path);
  const choice = asMembers(value, path);
  oneOf('function')(choice.type, `${path}.type`);
  return { toolName: asText(asMembers(choice.function, `${path}.function`).name, `${path}.function.name`) };
}

function readResponseFormat(value: unknown, path: string): ResponseFormat {
  const format = asMembers(value, path);
  const type = oneOf('text', 'json_object', 'json_schema')(format.type, `${path}.type`);
  if (type === 'text') return { type };
  if (type === 'json_object') return { type: 'json' };
  return readJsonSchema(asMembers(format.json_schema, `${path}.json_schema`), `${path}.json_schema`);
}

export const readJsonSchema = ({ name, schema, description, strict }: Members, path: string): ResponseFormat => ({
  type: 'json_schema',
  name: ifGiven(name, `${path}.name`, asText) ?? 'response',
  schema: ifGiven(schema, `${path}.schema`, asMembers) ?? {},
  description: ifGiven(description, `${path}.description`, asText),
  strict: ifGiven(strict, `${path}.strict`, asFlag),
});

function readLogitBias(value: unknown, path: string): Readonly<Record<string, number>> {
  const bias = asMembers(value, path);
  for (const [token, weight] of Object.entries(bias)) asNumber(weight, `${path}.${token.slice(0, 40)}`);
  return bias as Readonly<Record<string, number>>;
}

/** Reads a name, or the object of a custom voice. */
function readVoice(voice: unknown): string {
  return typeof voice === 'object' && voice !== null
    ? asText(asMembers(voice, 'audio.voice').id, 'audio.voice.id')
    : asText(voice, 'audio.voice');
}

import { carried, leftOut, refused, type ConversionResult, type RequestMember } from './format-pair.js';

const nowhere = (name: RegExp) => ({ chat: leftOut(name), responses: leftOut(name), messages: leftOut(name) });

/**
 * A setting of the chat format. Clients of `/responses` may send it too, but vendors of other formats do not support
 * it.
 */
const chatOnly = (name: string, value: unknown): RequestMember => ({
  name,
  says: { chat: { [name]: value }, responses: { [name]: value } },
  becomes: { ...nowhere(new RegExp(`^${name}$`)), chat: carried({ [name]: value }) },
  but: { 'responses>responses': leftOut(new RegExp(`^${name}$`)) },
});

const SCHEMA = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'], additionalProperties: false };
const JSON_SCHEMA = { type: 'json_schema', name: 'answer', schema: SCHEMA, strict: true };

const effort = (member: object): ConversionResult => carried(member as Readonly<Record<string, unknown>>);

/** The members of a request that control the generation. */
export const SETTINGS: readonly RequestMember[] = [
  {
    name: 'temperature',
    says: { chat: { temperature: 0.5 }, responses: { temperature: 0.5 }, messages: { temperature: 0.5 } },
    becomes: {
      chat: carried({ temperature: 0.5 }),
      responses: carried({ temperature: 0.5 }),
      messages: carried({ temperature: 0.5 }),
    },
  },
  {
    name: 'top_p',
    says: { chat: { top_p: 0.9 }, responses: { top_p: 0.9 }, messages: { top_p: 0.9 } },
    becomes: { chat: carried({ top_p: 0.9 }), responses: carried({ top_p: 0.9 }), messages: carried({ top_p: 0.9 }) },
  },
  {
    name: 'top_k',
    says: { chat: { top_k: 5 }, responses: { top_k: 5 }, messages: { top_k: 5 } },
    becomes: { chat: carried({ top_k: 5 }), responses: leftOut(/^top_k$/), messages: carried({ top_k: 5 }) },
    but: { 'responses>responses': leftOut(/^top_k$/) },
  },
  {
    name: 'stop sequences',
    says: { chat: { stop: ['END'] }, responses: { stop: ['END'] }, messages: { stop_sequences: ['END'] } },
    becomes: {
      chat: carried({ stop: ['END'] }),
      responses: leftOut(/^stop/),
      messages: carried({ stop_sequences: ['END'] }),
    },
    but: { 'responses>responses': leftOut(/^stop$/) },
  },
  chatOnly('min_p', 0.1),
  chatOnly('top_a', 0.1),
  chatOnly('repetition_penalty', 1.1),
  chatOnly('frequency_penalty', 0.1),
  chatOnly('presence_penalty', 0.1),
  chatOnly('seed', 7),
  chatOnly('logit_bias', { 50: 1 }),
  { name: 'logprobs', says: { chat: { logprobs: true, top_logprobs: 2 } }, becomes: nowhere(/^logprobs$/) },
  { name: 'n', says: { chat: { n: 2 } }, becomes: nowhere(/^n$/) },
  {
    name: 'the maximum number of output tokens',
    says: { chat: { max_tokens: 64 }, responses: { max_output_tokens: 64 }, messages: { max_tokens: 64 } },
    becomes: {
      chat: carried({ max_tokens: 64 }),
      responses: carried({ max_output_tokens: 64 }),
      messages: carried({ max_tokens: 64 }),
    },
  },
  {
    name: 'a stream',
    says: { chat: { stream: true }, responses: { stream: true }, messages: { stream: true } },
    becomes: {
      chat: carried({ stream: true, stream_options: { include_usage: true } }),
      responses: carried({ stream: true }),
      messages: carried({ stream: true }),
    },
  },
  {
    name: 'the reasoning effort',
    says: {
      chat: { reasoning_effort: 'high' },
      responses: { reasoning: { effort: 'high' } },
      messages: { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    },
    becomes: {
      chat: effort({ reasoning: { effort: 'high' } }),
      responses: effort({ reasoning: { effort: 'high' } }),
      // 80 % of the maximum number of output tokens: an older model supports a budget instead of an effort.
      messages: effort({ thinking: { type: 'enabled', budget_tokens: 3_277 } }),
    },
  },
  {
    name: 'a reasoning budget',
    says: {
      chat: { reasoning: { max_tokens: 2_048 } },
      responses: { reasoning: { max_tokens: 2_048 } },
      messages: { thinking: { type: 'enabled', budget_tokens: 2_048 } },
    },
    becomes: {
      chat: carried({ reasoning: { max_tokens: 2_048 } }),
      // The budget is half of the maximum number of output tokens.
      responses: carried({ reasoning: { effort: 'medium' } }),
      messages: carried({ thinking: { type: 'enabled', budget_tokens: 2_048 } }),
    },
    but: { 'responses>responses': carried({ reasoning: { effort: 'medium' } }) },
  },
  {
    name: 'no reasoning',
    says: {
      chat: { reasoning: { effort: 'none' } },
      responses: { reasoning: { effort: 'none' } },
      messages: { thinking: { type: 'disabled' } },
    },
    becomes: {
      chat: carried({ reasoning: { effort: 'none' } }),
      responses: carried({ reasoning: { effort: 'none' } }),
      messages: carried({ thinking: { type: 'disabled' } }),
    },
  },
  {
    name: 'an output schema',
    says: {
      chat: { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA, strict: true } } },
      responses: { text: { format: JSON_SCHEMA } },
      messages: { output_config: { format: { type: 'json_schema', schema: SCHEMA } } },
    },
    becomes: {
      chat: carried({ response_format: { type: 'json_schema', json_schema: { schema: SCHEMA, strict: true } } }),
      responses: carried({ text: { format: { type: 'json_schema', schema: SCHEMA, strict: true } } }),
      messages: carried({ output_config: { format: { type: 'json_schema', schema: SCHEMA } } }),
    },
  },
  {
    name: 'JSON without a schema',
    says: {
      chat: { response_format: { type: 'json_object' } },
      responses: { text: { format: { type: 'json_object' } } },
    },
    becomes: {
      chat: carried({ response_format: { type: 'json_object' } }),
      responses: carried({ text: { format: { type: 'json_object' } } }),
      messages: leftOut(/^json_object$/),
    },
  },
  {
    name: 'verbosity',
    says: { chat: { verbosity: 'low' }, responses: { text: { verbosity: 'low' } } },
    becomes: {
      chat: carried({ verbosity: 'low' }),
      responses: carried({ text: { verbosity: 'low' } }),
      messages: leftOut(/^verbosity$/),
    },
  },
  {
    name: 'the prompt cache key',
    says: { chat: { prompt_cache_key: 'k' }, responses: { prompt_cache_key: 'k' } },
    becomes: {
      chat: carried({ prompt_cache_key: 'k' }),
      responses: carried({ prompt_cache_key: 'k' }),
      messages: leftOut(/^prompt_cache_key$/),
    },
  },
  {
    name: 'a service tier',
    says: {
      chat: { service_tier: 'default' },
      responses: { service_tier: 'default' },
      messages: { service_tier: 'standard_only' },
    },
    becomes: {
      chat: carried({ service_tier: 'default' }),
      responses: carried({ service_tier: 'default' }),
      messages: carried({ service_tier: 'standard_only' }),
    },
  },
  {
    name: 'MCP servers',
    says: { messages: { mcp_servers: [{ type: 'url', url: 'https://e.com', name: 'e' }] } },
    becomes: { chat: refused(/mcp_servers/), responses: refused(/mcp_servers/), messages: carried({}) },
  },
];

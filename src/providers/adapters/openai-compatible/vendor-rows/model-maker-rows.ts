import type { CompatibleVendor, ReasoningStyle, TextTraits } from '../compatible-vendor.js';

/** Models that the vendor does not serve in the chat format. */
const RESPONSES_ONLY = /codex|^o\d-pro|^gpt-5(?:\.\d+)?-pro/;

/** In streams, every chunk except the last has `usage: null`. Chunks may have a padding member `obfuscation`. */
export const OPENAI_TEXT: TextTraits = {
  formats: ['chat', 'responses'],
  // The vendor's reasoning models refuse max_tokens.
  bound: 'max_completion_tokens',
  reasoning: { member: 'reasoning_effort', words: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'] },
  responses: {
    only: RESPONSES_ONLY,
    hasCompact: true,
    hasNamespaces: true,
    endUser: 'safety_identifier',
    reasoningFormat: 'openai-responses-v1',
  },
};

/**
 * The vendor does not include reasoning tokens in the completion tokens. It reports the price as `cost_in_usd_ticks`.
 */
export const XAI_TEXT: TextTraits = {
  formats: ['chat', 'responses'],
  bound: 'max_completion_tokens',
  reasoning: { member: 'reasoning_effort', words: ['low', 'medium', 'high'] },
  responses: { reasoningFormat: 'xai-responses-v1' },
};

/** Older streams report usage under `x_groq`. */
export const GROQ_TEXT: TextTraits = {
  formats: ['chat', 'responses'],
  bound: 'max_completion_tokens',
  reasoning: { member: 'reasoning_effort', words: ['none', 'low', 'medium', 'high'] },
  unsupported: ['logprobs', 'top_logprobs', 'logit_bias'],
  billsToTheEnd: true,
};

const THINKING: ReasoningStyle = { member: 'thinking' };
const REASONING_CONTENT = 'reasoning_content';
const CHAT_AND_MESSAGES: TextTraits['formats'] = ['chat', 'messages'];

/** Vendors that make their own models. Sources: each vendor's public API reference. */
export const MODEL_MAKERS: readonly CompatibleVendor[] = [
  {
    slug: 'azure',
    // The address is derived from the credential. The vendor's name of a model is the name of its deployment.
    baseUrl: '',
    auth: { header: 'api-key', prefix: '' },
    credential: {
      key: 'apiKey',
      address: {
        name: 'resourceName',
        template: 'https://{}.openai.azure.com/openai/v1',
        url: 'baseURL',
        hosts: [
          '.openai.azure.com',
          '.cognitiveservices.azure.com',
          '.services.ai.azure.com',
          '.azure-api.net',
          '.openai.azure.us',
          '.openai.azure.cn',
        ],
      },
    },
    // Streams begin with a chunk without choices; choices have content_filter_results.
    text: {
      ...OPENAI_TEXT,
      responses: { ...OPENAI_TEXT.responses, hasCompact: false, reasoningFormat: 'azure-openai-responses-v1' },
    },
    embedsBase64: true,
  },
  {
    slug: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    // The vendor refuses unknown members. Content may be a list of parts, some with the type `thinking`. Every stream
    // ends with the usage.
    text: {
      hasStreamOptions: false,
      reasoning: { member: 'reasoning_effort', words: ['none', 'high'] },
      renamed: { seed: 'random_seed' },
      unsupported: [
        'user',
        'top_k',
        'min_p',
        'top_a',
        'repetition_penalty',
        'logit_bias',
        'logprobs',
        'top_logprobs',
        'prompt_cache_options',
        'verbosity',
        'modalities',
        'audio',
        'service_tier',
        'store',
      ],
      hasShortToolIds: true,
      billsToTheEnd: true,
    },
  },
  {
    slug: 'cohere',
    baseUrl: 'https://api.cohere.ai/compatibility/v1',
    text: { reasoning: { member: 'reasoning_effort', words: ['none', 'high'] } },
  },
  {
    slug: 'deepseek',
    baseUrl: 'https://api.deepseek.com',
    // The usage has counts of cache hits and cache misses. Streams have comments and blank lines.
    text: {
      formats: CHAT_AND_MESSAGES,
      messages: { ending: '', becomes: '/anthropic/v1' },
      reasoning: THINKING,
      messageReasoning: REASONING_CONTENT,
    },
  },
  {
    slug: 'perplexity',
    baseUrl: 'https://api.perplexity.ai',
    // Every chunk contains usage, citations and the message so far.
    text: {
      hasStreamOptions: false,
      reasoning: { member: 'reasoning_effort', words: ['minimal', 'low', 'medium', 'high'] },
      billsToTheEnd: true,
    },
  },
  {
    slug: 'moonshotai',
    baseUrl: 'https://api.moonshot.ai/v1',
    // The usage is inside the last choice.
    text: {
      formats: CHAT_AND_MESSAGES,
      messages: { ending: '/v1', becomes: '/anthropic/v1' },
      reasoning: THINKING,
      messageReasoning: REASONING_CONTENT,
    },
  },
  {
    slug: 'zai',
    baseUrl: 'https://api.z.ai/api/paas/v4',
    // The chunk with the last choice has the usage. Further finish reasons: `sensitive` and `network_error`.
    text: {
      formats: CHAT_AND_MESSAGES,
      messages: { ending: '/paas/v4', becomes: '/anthropic/v1' },
      hasStreamOptions: false,
      reasoning: THINKING,
      messageReasoning: REASONING_CONTENT,
    },
  },
  {
    slug: 'alibaba',
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    text: {
      reasoning: { member: 'enable_thinking', hasBudget: true },
      messageReasoning: REASONING_CONTENT,
      billsToTheEnd: true,
    },
  },
  { slug: 'stepfun', baseUrl: 'https://api.stepfun.com/v1' },
  {
    slug: 'xiaomi',
    baseUrl: 'https://api.xiaomimimo.com/v1',
    text: { bound: 'max_completion_tokens', reasoning: THINKING, messageReasoning: REASONING_CONTENT },
  },
  { slug: 'upstage', baseUrl: 'https://api.upstage.ai/v1/solar' },
];

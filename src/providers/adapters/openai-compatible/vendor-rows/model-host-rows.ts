import type { CompatibleVendor, TextTraits } from '../compatible-vendor.js';

/** The reasoning efforts that hosts of open models accept. */
const EFFORTS = ['none', 'low', 'medium', 'high'];

export const HOST_TEXT: TextTraits = { reasoning: { member: 'reasoning_effort', words: EFFORTS } };

/** Vendors that host other authors' models. Sources: each vendor's public API reference. */
export const MODEL_HOSTS: readonly CompatibleVendor[] = [
  {
    slug: 'cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    text: {
      ...HOST_TEXT,
      bound: 'max_completion_tokens',
      unsupported: ['frequency_penalty', 'presence_penalty', 'logit_bias', 'service_tier'],
    },
  },
  {
    slug: 'fireworks-ai',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    text: { ...HOST_TEXT, messageReasoning: 'reasoning_content' },
  },
  { slug: 'nebius', baseUrl: 'https://api.tokenfactory.nebius.com/v1', text: { ...HOST_TEXT, billsToTheEnd: true } },
  { slug: 'novita-ai', baseUrl: 'https://api.novita.ai/openai', text: { reasoning: { member: 'enable_thinking' } } },
  {
    slug: 'siliconflow',
    baseUrl: 'https://api.siliconflow.com/v1',
    text: { reasoning: { member: 'enable_thinking', hasBudget: true } },
  },
  { slug: 'baseten', baseUrl: 'https://inference.baseten.co/v1', text: HOST_TEXT },
  { slug: 'nvidia', baseUrl: 'https://integrate.api.nvidia.com/v1', text: HOST_TEXT },
  { slug: 'scaleway', baseUrl: 'https://api.scaleway.ai/v1', text: HOST_TEXT },
  { slug: 'ovhcloud', baseUrl: 'https://oai.endpoints.kepler.ai.cloud.ovh.net/v1', text: HOST_TEXT },
  { slug: 'friendli', baseUrl: 'https://api.friendli.ai/serverless/v1', text: HOST_TEXT },
  { slug: 'chutes', baseUrl: 'https://llm.chutes.ai/v1', text: HOST_TEXT },
  { slug: 'inference', baseUrl: 'https://inference.net/v1', text: { ...HOST_TEXT, billsToTheEnd: true } },
  { slug: 'huggingface', baseUrl: 'https://router.huggingface.co/v1', text: { ...HOST_TEXT, billsToTheEnd: true } },
  { slug: 'github-models', baseUrl: 'https://models.github.ai/inference' },
  {
    slug: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    // The vendor accepts the same members as this service. It reports the price as `usage.cost`.
    text: {
      formats: ['chat', 'responses', 'messages'],
      responses: {
        hasNamespaces: true,
        supported: [
          'cache_control',
          'frequency_penalty',
          'image_config',
          'min_p',
          'presence_penalty',
          'repetition_penalty',
          'seed',
          'stop',
          'top_a',
          'top_k',
        ],
      },
      reasoning: { member: 'reasoning' },
      messageReasoning: 'reasoning',
      supported: ['reasoning', 'cache_control', 'image_config'],
      fetched: ['image_url', 'video_url', 'file'],
    },
    embedsBase64: true,
  },
  { slug: 'ollama-cloud', baseUrl: 'https://ollama.com/v1', text: HOST_TEXT },
];

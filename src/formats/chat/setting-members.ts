import type { SamplingSettings } from '../conversation.js';

/** Setting → its member in the chat format, except for the maximum of output tokens, which has two names. */
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

import type { TextTraits } from '../compatible-vendor.js';

/** All vendors in this file use this name for the output bound. */
const COMPLETIONS: TextTraits = { bound: 'max_tokens' };

/**
 * Vendors that have `/completions` for all of their text models, with the differences of this operation from the common
 * form. Sources: each vendor's public API reference.
 */
export const COMPLETION_VENDORS: ReadonlyMap<string, TextTraits> = new Map([
  ['cerebras', { ...COMPLETIONS, unsupported: ['frequency_penalty', 'presence_penalty', 'logit_bias'] }],
  ['chutes', COMPLETIONS],
  ['deepinfra', COMPLETIONS],
  ['fireworks-ai', COMPLETIONS],
  ['friendli', COMPLETIONS],
  ['nebius', COMPLETIONS],
  ['novita-ai', COMPLETIONS],
  ['openrouter', COMPLETIONS],
  ['togetherai', COMPLETIONS],
  // Servers that teams run themselves.
  ['llama.cpp', COMPLETIONS],
  ['lmstudio', COMPLETIONS],
  ['ollama', COMPLETIONS],
  ['sglang', COMPLETIONS],
  ['vllm', COMPLETIONS],
]);

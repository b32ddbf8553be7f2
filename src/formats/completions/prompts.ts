import { emptyMeasure, positive, type TextMeasure } from '../measure.js';
import type { Members } from '../members.js';

/** A text, or its token ids. */
type Prompt = string | readonly number[];

/** The prompts of a validated request: a text, token ids, or a list of either. */
export function promptsOf(prompt: unknown): readonly Prompt[] {
  if (typeof prompt === 'string') return [prompt];
  if (!Array.isArray(prompt)) return [];
  return typeof prompt[0] === 'number' ? [prompt as readonly number[]] : (prompt as readonly Prompt[]);
}

/** Measures a request of `/completions`: the model reads every prompt, and writes the requested choices for each. */
export function measureCompletion({ prompt, suffix, n, best_of: best, max_tokens: limit }: Members): TextMeasure {
  const measure = emptyMeasure();
  const prompts = promptsOf(prompt);
  for (const each of prompts)
    if (typeof each === 'string') measure.textBytes += Buffer.byteLength(each);
    else measure.tokenIds += each.length;
  if (typeof suffix === 'string') measure.textBytes += Buffer.byteLength(suffix) * prompts.length;
  measure.messages = prompts.length;
  measure.prompts = prompts.length;
  measure.choices = prompts.length * Math.max(positive(n) ?? 1, positive(best) ?? 1);
  measure.maxOutputTokens = positive(limit);
  return measure;
}

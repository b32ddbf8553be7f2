import { membersOf } from '../../../formats/members.js';
import type { ReportedUsage } from '../../ports/endpoint-call.js';

/** Reads a parsed `usage` member; undefined if it is not an object or has no counts. */
export function reportedUsage(member: unknown): ReportedUsage | undefined {
  const usage = membersOf(member);
  const promptTokens = usage.input_tokens ?? usage.prompt_tokens;
  const completionTokens = usage.output_tokens ?? usage.completion_tokens;
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  const [input, output] = [membersOf(usage.input_tokens_details), membersOf(usage.output_tokens_details)];
  return {
    promptTokens,
    completionTokens,
    promptImageTokens: input.image_tokens,
    promptTextTokens: input.text_tokens,
    completionImageTokens: output.image_tokens,
    completionTextTokens: output.text_tokens,
  };
}

/** Adds the usage of several pictures of one call. An invalid count replaces the sum, so that validation detects it. */
export function addUsage(a: ReportedUsage | undefined, b: ReportedUsage | undefined): ReportedUsage | undefined {
  if (!a || !b) return a ?? b;
  const sum: Record<string, unknown> = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = plus(sum[name], count);
  return sum;
}

function plus(a: unknown, b: unknown): unknown {
  if (!isCount(a)) return a ?? b;
  return isCount(b) ? a + b : (b ?? a);
}

/** A negative count is invalid, and a sum would hide it. */
const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0;

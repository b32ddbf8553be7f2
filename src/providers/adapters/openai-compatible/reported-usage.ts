import type { ReportedUsage } from '../../spec/endpoint-call.js';

interface VendorUsage {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly total_tokens?: unknown;
  readonly input_tokens_details?: { readonly image_tokens?: unknown } | null;
}

/** Reads a `usage` member; undefined where there is none that counts anything. */
export function readUsage(json: string): ReportedUsage | undefined {
  const usage = JSON.parse(json) as VendorUsage | null;
  if (typeof usage !== 'object' || usage === null) return undefined;
  const promptTokens = count(usage.input_tokens ?? usage.prompt_tokens);
  const completionTokens = count(usage.output_tokens ?? usage.completion_tokens);
  if (promptTokens === undefined && completionTokens === undefined) return undefined;
  return {
    promptTokens,
    completionTokens,
    totalTokens: count(usage.total_tokens),
    promptImageTokens: count(usage.input_tokens_details?.image_tokens),
  };
}

/** Usage of several pictures of one call, each counted apart. */
export function addUsage(a: ReportedUsage | undefined, b: ReportedUsage | undefined): ReportedUsage | undefined {
  if (!a || !b) return a ?? b;
  return {
    promptTokens: plus(a.promptTokens, b.promptTokens),
    completionTokens: plus(a.completionTokens, b.completionTokens),
    totalTokens: plus(a.totalTokens, b.totalTokens),
    promptImageTokens: plus(a.promptImageTokens, b.promptImageTokens),
  };
}

const plus = (a: number | undefined, b: number | undefined): number | undefined => (a === undefined ? b : a + (b ?? 0));

const count = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;

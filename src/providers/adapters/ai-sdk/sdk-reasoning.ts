import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Members } from '../../../formats/members.js';
import type { Effort, ReasoningSettings } from '../../../formats/conversation.js';

type Level = NonNullable<LanguageModelV4CallOptions['reasoning']>;

export interface ReasoningRequest {
  readonly settings: ReasoningSettings;
  /** The bound of output tokens, including reasoning; undefined = the vendor's default. */
  readonly bound?: number;
  /** The bound, or the reserved output tokens if there is no bound. */
  readonly available?: number;
  /** The vendor's own name of the model. */
  readonly model: string;
}

/** The reasoning settings for a package. */
export interface ReasoningPlan {
  readonly level?: Level;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Replaces the bound, for packages that add the budget to this number. */
  readonly maxOutputTokens?: number;
}

export type AdaptReasoning = (request: ReasoningRequest) => ReasoningPlan | Promise<ReasoningPlan>;

/** The budget for each effort, as a share of the bound or of `available`, for models that take a budget. */
const SHARES: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  max: 0.95,
  xhigh: 0.95,
  high: 0.8,
  medium: 0.5,
  low: 0.2,
  minimal: 0.1,
};
const MIN_CLAUDE_BUDGET_TOKENS = 1_024;
const MIN_GEMINI_BUDGET_TOKENS = 512;
const MAX_GEMINI_BUDGET_TOKENS = 24_576;

/** The options of a package for the thinking of a Claude model. */
interface ClaudeOptions {
  /** For the effort `max`. */
  readonly adaptive: Members;
  readonly withBudget: (budgetTokens: number) => Members;
}

export const claudeReasoning: AdaptReasoning = (request) =>
  claudePlan(request, {
    adaptive: { thinking: { type: 'adaptive', display: 'summarized' }, effort: 'max' },
    withBudget: (budgetTokens) => ({ thinking: { type: 'enabled', budgetTokens } }),
  });

/** Whether a model of Amazon Bedrock is a Claude model. */
export const isClaude = (model: string): boolean => model.includes('anthropic');

export const bedrockReasoning: AdaptReasoning = (request) => {
  const { settings, bound, model } = request;
  if (!isClaude(model)) {
    const { level } = levelPlan(request);
    // At high effort the package removes the bound from the request to a Nova model.
    const isLowered = bound !== undefined && model.includes('nova') && (level === 'high' || level === 'xhigh');
    return settings.effort === 'none' ? { level: 'none' } : { level: isLowered ? 'medium' : level };
  }
  return claudePlan(request, {
    adaptive: { reasoningConfig: { type: 'adaptive', maxReasoningEffort: 'max' } },
    withBudget: (budgetTokens) => ({ reasoningConfig: { type: 'enabled', budgetTokens } }),
  });
};

/**
 * A thinking budget is part of the output bound and has at least 1,024 tokens. Thinking is turned off if the bound is
 * not larger than this minimum. A package adds the budget to the maximum in its options, so this maximum is the bound
 * minus the budget. Newer models accept an effort, and some of them accept no budget.
 */
async function claudePlan(request: ReasoningRequest, options: ClaudeOptions): Promise<ReasoningPlan> {
  const { settings, bound, model } = request;
  const { effort, maxTokens } = settings;
  if (effort === 'none') return { level: 'none' };
  if (effort === undefined && maxTokens === undefined) return {};
  const { getModelCapabilities } = await import('@ai-sdk/anthropic/internal');
  const { supportsAdaptiveThinking, rejectsBudgetThinking } = getModelCapabilities(model);
  if (effort !== undefined ? supportsAdaptiveThinking : rejectsBudgetThinking)
    return effort === 'max' ? { options: options.adaptive } : levelPlan(request);
  if (bound === undefined)
    return maxTokens === undefined
      ? { level: levelOf(effort!) }
      : { options: options.withBudget(Math.max(MIN_CLAUDE_BUDGET_TOKENS, maxTokens)) };
  if (bound <= MIN_CLAUDE_BUDGET_TOKENS) return { level: 'none' };
  const wanted = maxTokens ?? SHARES[effort as keyof typeof SHARES] * bound;
  const budgetTokens = Math.min(bound - 1, Math.max(MIN_CLAUDE_BUDGET_TOKENS, Math.round(wanted)));
  return { options: options.withBudget(budgetTokens), maxOutputTokens: bound - budgetTokens };
}

export const geminiReasoning: AdaptReasoning = ({ settings, available, model }) => {
  const { effort, maxTokens, exclude } = settings;
  if (effort === 'none') return { level: 'none' };
  const includeThoughts = !exclude;
  if (effort !== undefined && !(model.includes('gemini-2') && available !== undefined))
    return { level: levelOf(effort), options: { thinkingConfig: { includeThoughts } } };
  const thinkingBudget =
    effort === undefined
      ? maxTokens
      : Math.min(MAX_GEMINI_BUDGET_TOKENS, Math.max(MIN_GEMINI_BUDGET_TOKENS, Math.round(SHARES[effort] * available!)));
  return { options: { thinkingConfig: { includeThoughts, thinkingBudget } } };
};

export const cohereReasoning: AdaptReasoning = ({ settings: { effort, maxTokens }, available }) => {
  if (effort === 'none') return { level: 'none' };
  if (effort !== undefined && available === undefined) return { level: levelOf(effort) };
  const tokenBudget = effort === undefined ? maxTokens : Math.max(1, Math.round(SHARES[effort] * available!));
  return tokenBudget === undefined ? {} : { options: { thinking: { type: 'enabled', tokenBudget } } };
};

/**
 * For models that accept only an effort. A budget is replaced by the effort whose share of the bound is nearest, or by
 * `medium` if there is no bound.
 */
export const levelReasoning: AdaptReasoning = (request) => levelPlan(request);

function levelPlan({ settings: { effort, maxTokens }, bound }: ReasoningRequest): { readonly level?: Level } {
  if (effort !== undefined) return { level: levelOf(effort) };
  if (maxTokens === undefined) return {};
  if (bound === undefined) return { level: 'medium' };
  const share = maxTokens / bound;
  const distance = (level: 'minimal' | 'low' | 'medium' | 'high'): number => Math.abs(SHARES[level] - share);
  return {
    level: (['minimal', 'low', 'medium', 'high'] as const).reduce((a, b) => (distance(b) < distance(a) ? b : a)),
  };
}

const levelOf = (effort: Effort): Level => (effort === 'max' ? 'xhigh' : effort);

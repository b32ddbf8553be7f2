import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Effort, ReasoningSettings } from '../../../formats/conversation.js';

type Level = NonNullable<LanguageModelV4CallOptions['reasoning']>;

export interface ReasoningRequest {
  readonly settings: ReasoningSettings;
  /** Bound of output tokens, including reasoning; undefined = the vendor's own. */
  readonly bound?: number;
  /** The vendor's own name. */
  readonly model: string;
}

/** How a package is told. */
export interface ReasoningPlan {
  readonly level?: Level;
  readonly options?: Readonly<Record<string, unknown>>;
  /** Replaces the bound, for packages that count the budget beside it. */
  readonly maxOutputTokens?: number;
}

export type AdaptReasoning = (request: ReasoningRequest) => ReasoningPlan | Promise<ReasoningPlan>;

/** The share of the bound that an effort stands for, where a model takes a budget instead. */
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

type ClaudePlan =
  | { readonly type: 'level'; readonly level?: Level }
  | { readonly type: 'adaptive'; readonly effort: 'max' }
  | { readonly type: 'budget'; readonly budgetTokens: number; readonly maxOutputTokens?: number };

export const claudeReasoning: AdaptReasoning = async (request) => {
  const plan = await claudePlan(request);
  if (plan.type === 'level') return { level: plan.level };
  if (plan.type === 'adaptive')
    return { options: { thinking: { type: 'adaptive', display: 'summarized' }, effort: plan.effort } };
  const { budgetTokens, maxOutputTokens } = plan;
  return { options: { thinking: { type: 'enabled', budgetTokens } }, maxOutputTokens };
};

export const bedrockReasoning: AdaptReasoning = async (request) => {
  const { settings, bound, model } = request;
  if (!model.includes('anthropic')) {
    const { level } = levelPlan(request);
    // At high effort the package takes the bound out of a Nova model's request.
    const isLowered = bound !== undefined && model.includes('nova') && (level === 'high' || level === 'xhigh');
    return settings.effort === 'none' ? { level: 'none' } : { level: isLowered ? 'medium' : level };
  }
  const plan = await claudePlan(request);
  if (plan.type === 'level') return { level: plan.level };
  if (plan.type === 'adaptive')
    return { options: { reasoningConfig: { type: 'adaptive', maxReasoningEffort: plan.effort } } };
  const { budgetTokens, maxOutputTokens } = plan;
  return { options: { reasoningConfig: { type: 'enabled', budgetTokens } }, maxOutputTokens };
};

/**
 * A budget of thinking is a part of the bound, and at least 1,024 tokens: a lower bound turns thinking off. Packages
 * send their bound and the budget as one sum. Newer models take an effort, and some of them no budget.
 */
async function claudePlan(request: ReasoningRequest): Promise<ClaudePlan> {
  const { settings, bound, model } = request;
  const { effort, maxTokens } = settings;
  if (effort === 'none') return { type: 'level', level: 'none' };
  if (effort === undefined && maxTokens === undefined) return { type: 'level' };
  const { getModelCapabilities } = await import('@ai-sdk/anthropic/internal');
  const { supportsAdaptiveThinking, rejectsBudgetThinking } = getModelCapabilities(model);
  if (effort !== undefined ? supportsAdaptiveThinking : rejectsBudgetThinking)
    return effort === 'max' ? { type: 'adaptive', effort } : { type: 'level', ...levelPlan(request) };
  if (bound === undefined)
    return maxTokens === undefined
      ? { type: 'level', level: levelOf(effort!) }
      : { type: 'budget', budgetTokens: Math.max(MIN_CLAUDE_BUDGET_TOKENS, maxTokens) };
  if (bound <= MIN_CLAUDE_BUDGET_TOKENS) return { type: 'level', level: 'none' };
  const wanted = maxTokens ?? SHARES[effort as keyof typeof SHARES] * bound;
  const budgetTokens = Math.min(bound - 1, Math.max(MIN_CLAUDE_BUDGET_TOKENS, Math.round(wanted)));
  return { type: 'budget', budgetTokens, maxOutputTokens: bound - budgetTokens };
}

export const geminiReasoning: AdaptReasoning = ({ settings, bound, model }) => {
  const { effort, maxTokens, exclude } = settings;
  if (effort === 'none') return { level: 'none' };
  const includeThoughts = !exclude;
  if (effort !== undefined && !(model.includes('gemini-2') && bound !== undefined))
    return { level: levelOf(effort), options: { thinkingConfig: { includeThoughts } } };
  const thinkingBudget =
    effort === undefined
      ? maxTokens
      : Math.min(MAX_GEMINI_BUDGET_TOKENS, Math.max(MIN_GEMINI_BUDGET_TOKENS, Math.round(SHARES[effort] * bound!)));
  return { options: { thinkingConfig: { includeThoughts, thinkingBudget } } };
};

export const cohereReasoning: AdaptReasoning = ({ settings: { effort, maxTokens }, bound }) => {
  if (effort === 'none') return { level: 'none' };
  if (effort !== undefined && bound === undefined) return { level: levelOf(effort) };
  const tokenBudget = effort === undefined ? maxTokens : Math.max(1, Math.round(SHARES[effort] * bound!));
  return tokenBudget === undefined ? {} : { options: { thinking: { type: 'enabled', tokenBudget } } };
};

/** For models that take an effort only: a budget is the effort whose share of the bound is nearest. */
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

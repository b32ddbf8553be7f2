import { membersOf, type Members } from '../../../formats/members.js';
import type { ReasoningStyle } from './compatible-vendor.js';

/** The caller's reasoning settings. Undefined members were not set. */
interface ReasoningRequest {
  /** `none` = off. */
  readonly effort?: string;
  readonly maxTokens?: number;
}

/** The budget for each effort, as a share of the output bound in percent. */
const SHARE_OF_EFFORT: Readonly<Record<string, number>> = {
  max: 95,
  xhigh: 95,
  high: 80,
  medium: 50,
  low: 20,
  minimal: 10,
};
/** In rising order. */
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];
/** The output bound that is assumed if the request has none, to convert a budget to an effort. */
const ASSUMED_BOUND_TOKENS = 16_384;

export const EFFORT_AS_SENT: ReasoningStyle = { member: 'reasoning_effort', words: EFFORTS };

/** The vendor's own members for the reasoning settings of a chat request; undefined = nothing to set. */
export function reasoningMembers(
  style: ReasoningStyle,
  body: Members,
  maxOutputTokens: number | undefined,
): Members | undefined {
  const asked = requestOf(body);
  if (!asked || style.member === 'reasoning') return undefined;
  const isOff = asked.effort === 'none';
  if (style.member === 'reasoning_effort')
    return { reasoning_effort: nearest(asked.effort ?? effortOf(asked.maxTokens!, maxOutputTokens), style.words) };
  const budget = style.hasBudget && !isOff ? (asked.maxTokens ?? budgetOf(asked.effort!, maxOutputTokens)) : undefined;
  if (style.member === 'thinking')
    return { thinking: { type: isOff ? 'disabled' : 'enabled', ...(budget ? { budget_tokens: budget } : {}) } };
  return { enable_thinking: !isOff, ...(budget ? { thinking_budget: budget } : {}) };
}

function requestOf({ reasoning, reasoning_effort: word }: Members): ReasoningRequest | undefined {
  const { effort, max_tokens: maxTokens, enabled } = membersOf(reasoning);
  if (enabled === false) return { effort: 'none' };
  if (typeof effort === 'string') return { effort };
  if (typeof maxTokens === 'number' && maxTokens > 0) return { maxTokens };
  if (typeof word === 'string') return { effort: word };
  return enabled === true ? { effort: 'medium' } : undefined;
}

const budgetOf = (effort: string, maxOutputTokens: number | undefined): number | undefined => {
  const share = SHARE_OF_EFFORT[effort];
  return share && maxOutputTokens ? Math.max(1, Math.floor((maxOutputTokens * share) / 100)) : undefined;
};

function effortOf(budget: number, maxOutputTokens = ASSUMED_BOUND_TOKENS): string {
  const percent = (budget * 100) / maxOutputTokens;
  return percent > 65 ? 'high' : percent > 35 ? 'medium' : percent > 15 ? 'low' : 'minimal';
}

/** The nearest effort that the vendor supports. An effort that is not in EFFORTS is returned unchanged. */
function nearest(effort: string, words: readonly string[]): string {
  const rank = EFFORTS.indexOf(effort);
  if (rank < 0 || words.includes(effort)) return effort;
  // `none` is not replaced by another effort, nor another effort by `none`. A vendor that does not support the effort
  // then refuses the request.
  const candidates = words.filter((word) => word !== 'none' && EFFORTS.includes(word));
  if (effort === 'none' || candidates.length === 0) return effort;
  const distance = (word: string): number => Math.abs(EFFORTS.indexOf(word) - rank);
  return candidates.reduce((best, word) => (distance(word) < distance(best) ? word : best));
}

import { invalidRequest } from '../../kernel/errors/errors.js';
import { EFFORTS, type ReasoningSettings } from '../conversation.js';
import type { Members } from '../members.js';
import { asCount, asFlag, asMembers, asText, ifGiven, oneOf } from '../request-members.js';

const asEffort = oneOf(...EFFORTS);

/**
 * The combined meaning of `reasoning`, `reasoning_effort` and the legacy `include_reasoning`; undefined if none is set.
 * Throws invalid_request if they contradict each other.
 */
export function readReasoningSettings(body: Members): ReasoningSettings | undefined {
  const reasoning = ifGiven(body.reasoning, 'reasoning', asMembers) ?? {};
  const nested = ifGiven(reasoning.effort, 'reasoning.effort', asEffort);
  const flat = ifGiven(body.reasoning_effort, 'reasoning_effort', asEffort);
  const maxTokens = ifGiven(reasoning.max_tokens, 'reasoning.max_tokens', asCount);
  const enabled = ifGiven(reasoning.enabled, 'reasoning.enabled', asFlag);
  const summary = ifGiven(reasoning.summary, 'reasoning.summary', asText);
  const included = ifGiven(body.include_reasoning, 'include_reasoning', asFlag);
  const exclude = ifGiven(reasoning.exclude, 'reasoning.exclude', asFlag) ?? included === false;

  if (nested !== undefined && flat !== undefined && nested !== flat)
    throw invalidRequest('reasoning.effort and reasoning_effort must agree.');
  const named = nested ?? flat;
  if (named !== undefined && maxTokens !== undefined)
    throw invalidRequest('reasoning.max_tokens must not be given together with an effort.');
  if (enabled === false && (maxTokens !== undefined || (named !== undefined && named !== 'none')))
    throw invalidRequest('reasoning.enabled must not be false together with an effort or reasoning.max_tokens.');
  if (enabled === true && named === 'none')
    throw invalidRequest('reasoning.enabled must not be true together with the effort "none".');

  const implied = enabled === false ? 'none' : enabled === true && maxTokens === undefined ? 'medium' : undefined;
  const effort = named ?? implied;
  const isEmpty = effort === undefined && maxTokens === undefined && summary === undefined && !exclude;
  return isEmpty ? undefined : { effort, maxTokens, summary, exclude };
}

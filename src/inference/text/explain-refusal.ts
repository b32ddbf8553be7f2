import type { ExhaustedLimit } from '../../kernel/errors/error-facts.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { nanoToText } from '../../kernel/money.js';
import { affordableOutputTokens, type WorstCase } from './worst-case.js';

/** For each limit that can refuse a call: its name in messages, and what the caller can do. */
const WORDS: Record<Exclude<ExhaustedLimit['limit'], 'budget'>, readonly [what: string, remedy: string]> = {
  credits: ['the credits', 'add credits'],
  key_limit: ["the key's spending limit", 'raise the limit'],
  parent_limit: ['the spending limit of the key that created this intern', 'raise the limit'],
};

/**
 * The refusal of a reservation, with the requested and the affordable number of output tokens. It contains the maximum
 * cost and the remaining amount only if the limit of the caller's key was exceeded: the key must see neither the
 * account's credits nor the remaining amount of its parent key. Other errors, and errors that are already explained,
 * are returned unchanged. `boundMember`: the member that limits the output of the request.
 */
export function explainRefusal(error: unknown, worst: WorstCase, boundMember = 'max_completion_tokens'): unknown {
  if (!(error instanceof GatewayError) || !error.facts?.exhausted || error.facts.tokens) return error;
  const { limit, remaining } = error.facts.exhausted;
  const requested = worst.outputTokens;
  const affordable = affordableOutputTokens(worst, remaining);
  const [what, remedy] =
    limit === 'budget' ? [`the ${error.facts.budget!.name}`, 'contact your org admin'] : WORDS[limit];
  const amounts =
    limit === 'key_limit'
      ? ` It can cost up to $${nanoToText(worst.price)}, and $${nanoToText(remaining)} is left.`
      : '';
  const [shortage, advice] =
    worst.choices === 0
      ? [`reads up to ${worst.promptTokens} tokens, which ${what} does not cover`, `Send less text, or ${remedy}.`]
      : [
          `asks for up to ${requested} output tokens, but ${what} can only afford ${affordable}`,
          affordable === 0
            ? `Send a shorter prompt, or ${remedy}.`
            : `Set ${boundMember} to at most ${affordable}, send a shorter prompt, or ${remedy}.`,
        ];
  const message = `This request ${shortage}.${amounts} ${advice}`;
  return error.with(worst.choices === 0 ? {} : { tokens: { requested, affordable } }, { message });
}

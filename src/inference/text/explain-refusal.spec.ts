import type { ExhaustedLimit } from '../../kernel/errors/error-facts.js';
import { GatewayError } from '../../kernel/errors/errors.js';
import { explainRefusal } from './explain-refusal.js';
import { measureChat } from '../../formats/measure.js';
import { worstCaseOf, type WorstCase } from './worst-case.js';

/** 104 bytes and 72 tokens for the framing, at 1 USD per million; 1000 output tokens at 10 USD per million. */
const WORST = worstCaseOf(measureChat({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(100) }] }), {
  limits: { contextLength: 10_000, maxCompletionTokens: 1_000 },
  prices: { prompt: '0.000001', completion: '0.00001' },
  at: 0,
}) as WorstCase;
const PROMPT_NANO = 176_000n;
const TOKEN_NANO = 10_000n;

const refusal = (limit: ExhaustedLimit['limit'], remaining: bigint): GatewayError =>
  explainRefusal(
    new GatewayError('insufficient_credits', 'no', { facts: { exhausted: { limit, remaining } } }),
    WORST,
  ) as GatewayError;

describe('a 402 of a text call', () => {
  it.each([
    ['none', PROMPT_NANO - 1n, 0],
    ['7', PROMPT_NANO + 7n * TOKEN_NANO, 7],
    ['all but one', WORST.price - 1n, 999],
  ])('states how many of the requested output tokens are affordable: %s', (_, remaining, affordable) => {
    const { facts, message } = refusal('credits', remaining);
    expect(facts?.tokens).toEqual({ requested: 1_000, affordable });
    expect(message).toContain(`up to 1000 output tokens, but the credits can only afford ${affordable}.`);
  });

  it("names the amounts if the key's own limit refused the call", () => {
    expect(refusal('key_limit', 246_000n).message).toBe(
      "This request asks for up to 1000 output tokens, but the key's spending limit can only afford 7. " +
        'It can cost up to $0.010176, and $0.000246 is left. ' +
        'Set max_completion_tokens to at most 7, send a shorter prompt, or raise the limit.',
    );
    expect(refusal('key_limit', 14n).message).toContain('$0.000000014 is left');
  });

  it.each(['credits', 'parent_limit'] as const)('names no amount if %s refused the call', (limit) => {
    expect(refusal(limit, 246_000n).message).not.toMatch(/\$|\d\.\d/);
  });

  it('is the only error that is changed', () => {
    for (const error of [new GatewayError('unauthenticated', 'no'), new TypeError('inside')])
      expect(explainRefusal(error, WORST)).toBe(error);
  });
});

import { chatError, DONE } from '../chat/events.js';
import type { ResponseHead } from '../client-format.js';

/** The members at the start of every response and chunk. */
export const headOf = ({ id, created, model, provider }: ResponseHead): object => ({
  id,
  object: 'text_completion',
  created,
  model,
  provider,
});

export const eventOf = (head: ResponseHead, members: object): string =>
  `data: ${JSON.stringify({ ...headOf(head), ...members })}\n\n`;

/** The end of a stream: a chunk without choices, with the usage. */
export const closing = (head: ResponseHead, usage: object, serviceTier: string | undefined): Buffer =>
  Buffer.from(eventOf(head, { choices: [], service_tier: serviceTier, usage }) + DONE);

/** The end of a stream that fails. */
export function failing(head: ResponseHead, error: unknown): Buffer {
  const choice = { text: '', index: 0, logprobs: null, finish_reason: 'error', native_finish_reason: null };
  return Buffer.from(eventOf(head, { error: chatError(error), choices: [choice] }) + DONE);
}

import type { ReasoningDetail } from '../conversation.js';
import { MESSAGES_REASONING } from '../../kernel/wire-names.js';
import { isObject, textOf } from '../members.js';

/**
 * Prefix of the signature or the data of a block that contains another format's reasoning. Clients return the signature
 * and the data unchanged.
 */
export const CARRIER = 'gatehouse-reasoning.';

/** The members of an entry of `reasoning_details` that have no place in a block of this format. */
type Carried = Pick<ReasoningDetail, 'format' | 'id' | 'signature' | 'data'> & {
  readonly type: ReasoningDetail['type'];
};

const carrier = (carried: Carried): string => CARRIER + Buffer.from(JSON.stringify(carried)).toString('base64url');

function carriedIn(text: string): Partial<Carried> | undefined {
  if (!text.startsWith(CARRIER)) return undefined;
  try {
    const members: unknown = JSON.parse(Buffer.from(text.slice(CARRIER.length), 'base64url').toString('utf8'));
    if (!isObject(members)) return {};
    const member = (name: string): string | undefined => textOf(members[name]);
    return {
      type: member('type') === 'reasoning.summary' ? 'reasoning.summary' : 'reasoning.text',
      format: member('format'),
      id: member('id'),
      signature: member('signature'),
      data: member('data'),
    };
  } catch {
    return {};
  }
}

/** The signature of a `thinking` block for a readable entry. */
export function signatureOf({ type, format, id, signature }: Omit<ReasoningDetail, 'text'>): string {
  return format === MESSAGES_REASONING ? (signature ?? '') : carrier({ type, format, id, signature });
}

/** The data of a `redacted_thinking` block for an unreadable entry. */
export const dataOf = ({ type, format, id, data = '' }: ReasoningDetail): string =>
  format === MESSAGES_REASONING ? data : carrier({ type, format, id, data });

/** The entry in a `thinking` block. */
export function readThinking(thinking: string, signature: string, index: number): ReasoningDetail {
  const carried = carriedIn(signature);
  if (!carried) {
    if (signature === '') return { type: 'reasoning.text', text: thinking, format: 'unknown', index };
    return { type: 'reasoning.text', text: thinking, signature, format: MESSAGES_REASONING, index };
  }
  const { type = 'reasoning.text', format = 'unknown' } = carried;
  const readable = type === 'reasoning.summary' ? { summary: thinking } : { text: thinking };
  return { type, ...readable, signature: carried.signature, id: carried.id, format, index };
}

/** The entry in a `redacted_thinking` block. */
export function readRedactedThinking(sent: string, index: number): ReasoningDetail {
  const carried = carriedIn(sent);
  if (!carried) return { type: 'reasoning.encrypted', data: sent, format: MESSAGES_REASONING, index };
  const { data = '', id, format = 'unknown' } = carried;
  return { type: 'reasoning.encrypted', data, id, format, index };
}

/**
 * Removes the blocks that contain other formats' reasoning, because vendors of this format would refuse their
 * signatures. A message without other blocks is omitted.
 */
export function withoutCarriers(messages: readonly unknown[]): unknown[] {
  return messages.flatMap((message) => {
    if (!isObject(message) || !Array.isArray(message['content'])) return [message];
    const kept = message['content'].filter((block) => !isCarrier(block));
    if (kept.length === message['content'].length) return [message];
    return kept.length === 0 ? [] : [{ ...message, content: kept }];
  });
}

function isCarrier(block: unknown): boolean {
  if (!isObject(block)) return false;
  const { type, signature, data } = block;
  const text = type === 'thinking' ? signature : type === 'redacted_thinking' ? data : undefined;
  return typeof text === 'string' && text.startsWith(CARRIER);
}

import { invalidRequest } from '../../kernel/errors/errors.js';
import type { ReasoningDetail } from '../conversation.js';
import { RESPONSES_REASONING } from '../../kernel/wire-names.js';
import type { Members } from '../members.js';
import { readDetail } from '../chat/read-messages.js';
import { asMembers, asText, ifGiven, listOf, oneOf } from '../request-members.js';

/**
 * Prefix of a value that contains entries of another format. Clients preserve `encrypted_content`, but no other member.
 */
const PREFIX = 'reasoning_details.v1:';

/**
 * `encrypted_content` of an item: the value from a vendor of this format; otherwise all entries, if any entry is signed
 * or encrypted. Undefined if there is only readable text.
 */
export function encryptedContentOf(details: readonly ReasoningDetail[]): string | undefined {
  const sealed = details.filter(({ data, signature }) => data !== undefined || signature !== undefined);
  if (sealed.length === 0) return undefined;
  const [only] = sealed;
  const isOfFormat = sealed.length === 1 && only!.data !== undefined && only!.format === RESPONSES_REASONING;
  return isOfFormat ? only!.data : PREFIX + Buffer.from(JSON.stringify(details)).toString('base64');
}

/** The entries of an item of type `reasoning`. */
export function readReasoningItem(item: Members, path: string): readonly ReasoningDetail[] {
  const encrypted = ifGiven(item['encrypted_content'], `${path}.encrypted_content`, asText);
  if (encrypted?.startsWith(PREFIX)) return unsealed(encrypted, `${path}.encrypted_content`);
  const format = ifGiven(item['format'], `${path}.format`, asText);
  const texts = (member: string, type: string): readonly string[] =>
    ifGiven(
      item[member],
      `${path}.${member}`,
      listOf((value, at) => {
        const part = asMembers(value, at);
        oneOf(type)(part['type'], `${at}.type`);
        return asText(part['text'], `${at}.text`);
      }),
    ) ?? [];
  const id = ifGiven(item['id'], `${path}.id`, asText);
  const summaries = texts('summary', 'summary_text').map(
    (summary) => ({ type: 'reasoning.summary', summary }) as const,
  );
  const plain = texts('content', 'reasoning_text').map((text) => ({ type: 'reasoning.text', text }) as const);
  const sealed = encrypted === undefined ? [] : [{ type: 'reasoning.encrypted', data: encrypted, id } as const];
  const whose = format ?? (encrypted === undefined ? 'unknown' : RESPONSES_REASONING);
  return [...summaries, ...plain, ...sealed].map((detail) => ({ ...detail, format: whose }));
}

function unsealed(content: string, path: string): readonly ReasoningDetail[] {
  let details: unknown;
  try {
    details = JSON.parse(Buffer.from(content.slice(PREFIX.length), 'base64').toString('utf8'));
  } catch {
    throw invalidRequest(`${path} must be the value that this service sent.`);
  }
  return listOf(readDetail)(details, path).filter((detail) => detail !== undefined);
}

/**
 * Removes the items with reasoning of other formats, because vendors of this format refuse them. Returns the same list
 * if it has no such item.
 */
export function withoutCarriedItems(items: readonly object[]): readonly object[] {
  const isCarrier = (item: Members): boolean => {
    const { type, encrypted_content: encrypted } = item;
    return type === 'reasoning' && typeof encrypted === 'string' && encrypted.startsWith(PREFIX);
  };
  return items.some((item) => isCarrier(item as Members)) ? items.filter((item) => !isCarrier(item as Members)) : items;
}

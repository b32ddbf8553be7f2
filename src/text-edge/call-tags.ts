import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { SentBody } from '../formats/vendor-text.js';
import { hasMembers, isObject, type Members } from '../formats/members.js';
import { withMembers } from '../formats/text-request.js';
import { invalidRequest } from '../kernel/errors/errors.js';

const MAX_TAGS = 8;
const MAX_TAG_CHARACTERS = 64;
/** Only printable characters; no lone surrogates. */
const TAG = /^[^\p{Cc}\p{Cs}]+$/u;
/** The documentation of the request's `metadata`: pairs of texts, and the tags of the call. */
export const METADATA = {
  type: 'object',
  properties: {
    tags: {
      oneOf: [
        { type: 'string' },
        { type: 'array', items: { type: 'string', minLength: 1, maxLength: MAX_TAG_CHARACTERS }, maxItems: MAX_TAGS },
      ],
    },
  },
  additionalProperties: { type: 'string' },
  nullable: true,
} as const satisfies ApiPropertyOptions;
export const TAGS_HEADER = 'x-gatehouse-tags';

/**
 * The tags of a call: `metadata.tags` of its body, otherwise the header X-Gatehouse-Tags, separated by commas.
 * Undefined if there are none. Throws invalid_request if there are more tags, or longer ones, than can be recorded.
 */
export function callTags(metadata: unknown, header: string | string[] | undefined): readonly string[] | undefined {
  const tags = taggedIn(metadata);
  if (tags) return checked(tags, 'metadata.tags');
  if (header === undefined) return undefined;
  const named = (Array.isArray(header) ? header.join(',') : header)
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return checked(named, 'X-Gatehouse-Tags');
}

/** The body without the tags, because vendors do not know them. */
export function withoutTags(sent: SentBody): SentBody {
  const { metadata } = sent.members;
  if (!taggedIn(metadata)) return sent;
  const { tags: _tags, ...rest } = metadata as Members;
  return withMembers(sent, { metadata: hasMembers(rest) ? rest : undefined });
}

/** If `tags` is a string, it is a value of the caller's own metadata. */
function taggedIn(metadata: unknown): readonly unknown[] | undefined {
  const tags = isObject(metadata) ? metadata['tags'] : undefined;
  return Array.isArray(tags) ? tags : undefined;
}

function checked(tags: readonly unknown[], place: string): readonly string[] | undefined {
  if (tags.length > MAX_TAGS) throw invalidRequest(`${place} must have at most ${MAX_TAGS} tags`);
  for (const tag of tags)
    if (typeof tag !== 'string' || !TAG.test(tag) || [...tag].length > MAX_TAG_CHARACTERS)
      throw invalidRequest(`${place} must be texts of 1 to ${MAX_TAG_CHARACTERS} characters`);
  const distinct = [...new Set(tags as readonly string[])];
  return distinct.length > 0 ? distinct : undefined;
}

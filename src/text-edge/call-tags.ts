import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { SentBody } from '../formats/vendor-text.js';
import { hasMembers, isObject, type Members } from '../formats/members.js';
import { withMembers } from '../formats/text-request.js';
import { invalidRequest } from '../kernel/errors/errors.js';

const MAX_TAGS = 8;
const MAX_TAG_CHARACTERS = 64;
/** At least one character, without control characters and lone surrogates. */
const TAG = /^[^\p{Cc}\p{Cs}]+$/u;
/** The schema of the request's `metadata` in the API description: texts by name, and the tags of the call. */
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
 * Returns the tags in `metadata.tags` of the body if this is an array; otherwise the comma-separated tags in the header
 * X-Gatehouse-Tags. Undefined if the call has no tags. Throws invalid_request if there are too many tags, or if a tag
 * is invalid.
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

/** Returns `tags` if it is an array. If `tags` is a string, it is a value of the caller's own metadata. */
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

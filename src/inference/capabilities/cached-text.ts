import type { TextFormat } from '../../formats/vendor-text.js';
import type { CachedCall } from '../response-cache/cached-call.js';
import type { Reusable } from '../response-cache/response-cache.js';
import { StampedBytes, stampOf } from '../response-cache/stamped-bytes.js';
import type { TextBill, TextRequest } from '../../formats/client-format.js';
import { explainRefusal } from '../text/explain-refusal.js';
import { FREE } from '../text/text-charge.js';
import { NO_USAGE } from '../../formats/usage.js';
import type { TextCall } from './text-call.js';

/** Members that identify the caller and the conversation. */
const CALLER_MEMBERS = ['user', 'safety_identifier', 'session_id', 'prompt_cache_key', 'trace'];

/** Members that do not change the response. */
const IGNORED: Readonly<Record<TextFormat, ReadonlySet<string>>> = {
  chat: new Set(CALLER_MEMBERS),
  responses: new Set(CALLER_MEMBERS),
  // In this format, metadata contains only the id of the end user.
  messages: new Set([...CALLER_MEMBERS, 'metadata']),
};

/** A longer request is not cached, because computing its key would block the process too long. */
const MAX_REQUEST_BYTES = 8_388_608;

export const isCacheable = ({ bytes }: TextRequest): boolean => bytes.length <= MAX_REQUEST_BYTES;

/** The cost that a reused response reports. */
export const FREE_BILL: TextBill = { usage: NO_USAGE, price: FREE, isByok: false };

export function cachedText({ request, defaultMaxOutputTokens }: TextCall, isStream: boolean): CachedCall {
  const { format, operation, members, bytes, version, betas } = request;
  const { name, boundMember } = format;
  const terms = [operation, defaultMaxOutputTokens, version, betas];
  return {
    modality: 'chat',
    request: { format: name, isStream, members, ignored: IGNORED[name], terms, bytes },
    explain: (error, worst) => explainRefusal(error, worst, boundMember),
  };
}

/** A complete text response as JSON, for reuse. */
export function reusableBody(body: string, generationId: string): Reusable<string> {
  const bytes = Buffer.from(body);
  const stamped = new StampedBytes(bytes, stampOf(generationId, bytes));
  return {
    bytes: stamped.size,
    contentFor: (id, created) => stamped.for(id, created).toString('utf8'),
  };
}

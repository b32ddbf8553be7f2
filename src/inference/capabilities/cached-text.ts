import type { TextFormat } from '../../formats/vendor-text.js';
import type { CachedRequest } from '../response-cache/cache-key.js';
import type { CachedCall } from '../response-cache/cached-call.js';
import type { Reusable } from '../response-cache/response-cache.js';
import { StampedBytes, stampOf } from '../response-cache/stamped-bytes.js';
import type { TextBill, TextRequest } from '../../formats/client-format.js';
import { explainRefusal } from '../text/explain-refusal.js';
import { FREE } from '../text/text-charge.js';
import { NO_USAGE } from '../../formats/usage.js';
import type { TextCall } from './text-call.js';

/** Members that identify the caller and the conversation. */
const OF_CALLER = ['user', 'safety_identifier', 'session_id', 'prompt_cache_key', 'trace'];

/** Members that do not change the response. */
const IGNORED: Readonly<Record<TextFormat, ReadonlySet<string>>> = {
  chat: new Set(OF_CALLER),
  responses: new Set(OF_CALLER),
  // In this format, metadata contains only the id of the end user.
  messages: new Set([...OF_CALLER, 'metadata']),
};

/** A longer request is not cached, because computing its key would block the process too long. */
const MAX_REQUEST_BYTES = 8_388_608;

export const isCacheable = ({ bytes }: TextRequest): boolean => bytes.length <= MAX_REQUEST_BYTES;

/** The cost that a reused response reports. */
export const FREE_BILL: TextBill = { usage: NO_USAGE, price: FREE, isByok: false };

export function cachedText(call: TextCall, isStream: boolean): CachedCall {
  const { boundMember } = call.request.format;
  return {
    modality: 'chat',
    request: cachedRequest(call, isStream),
    explain: (error, worst) => explainRefusal(error, worst, boundMember),
  };
}

function cachedRequest({ request, defaultMaxOutputTokens }: TextCall, isStream: boolean): CachedRequest {
  const { format, operation, members, bytes, version, betas } = request;
  return {
    format: format.name,
    isStream,
    members,
    ignored: IGNORED[format.name],
    terms: [operation, defaultMaxOutputTokens, version, betas],
    bytes,
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

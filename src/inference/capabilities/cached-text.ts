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

/** Members that say who calls, in which conversation. */
const OF_CALLER = ['user', 'safety_identifier', 'session_id', 'prompt_cache_key', 'trace'];

/** Members that do not change the response. */
const IGNORED: Readonly<Record<TextFormat, ReadonlySet<string>>> = {
  chat: new Set(OF_CALLER),
  responses: new Set(OF_CALLER),
  // Its metadata holds the id of the end user only.
  messages: new Set([...OF_CALLER, 'metadata']),
};

/** A longer request is not cached: its key would occupy the process for too long. */
const MAX_REQUEST_BYTES = 8_388_608;

export const isCacheable = ({ bytes }: TextRequest): boolean => bytes.length <= MAX_REQUEST_BYTES;

/** What a response says of its cost that is reused. */
export const FREE_BILL: TextBill = { usage: NO_USAGE, price: FREE, isByok: false, cost: 0n };

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

/** A complete response of text, as JSON. */
export function reusableBody(body: string, generationId: string): Reusable<string> {
  const bytes = Buffer.from(body);
  const stamped = new StampedBytes(bytes, stampOf(generationId, bytes));
  return {
    bytes: stamped.size,
    contentFor: (id, created) => stamped.for(id, created).toString('utf8'),
  };
}

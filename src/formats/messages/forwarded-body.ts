import { invalidRequest } from '../../kernel/errors/errors.js';
import type { ForwardedText } from '../vendor-text.js';
import { REMOVED, type MemberChange } from '../json/json-splice.js';
import { OWN_MEMBERS, setOptions, setTier, splicedBody, usualChanges } from '../spliced-body.js';

/**
 * Members that affect the price. The vendor must read the same members as the gateway, even if the vendor ignores the
 * case of names.
 */
const DECISIVE = ['messages', 'system', 'tools', 'service_tier', 'speed', 'inference_geo'];
/** Members that the gateway sets or removes. */
const REPLACED = ['model', 'fallbacks', 'stream', 'max_tokens', 'metadata', 'user'];
const DECIDED = [...DECISIVE, ...REPLACED];
/** Values of `service_tier` that let the vendor choose the tier, and that have no separate price. */
const TIERS_OF_VENDOR: ReadonlySet<unknown> = new Set(['auto', 'standard_only', null]);
/** The tier of endpoints for requests with `speed: "fast"`. */
const FAST_TIER = 'priority';
/** Members that the operation for counting tokens does not accept. */
const UNCOUNTED = ['temperature', 'top_k', 'top_p', 'stop_sequences', 'service_tier', 'speed', 'inference_geo'];

const USUAL = usualChanges(DECISIVE, [...OWN_MEMBERS, 'reasoning', ...REPLACED]);
const USUAL_OF_COUNT = usualChanges(DECISIVE, [...OWN_MEMBERS, 'reasoning', ...REPLACED, ...UNCOUNTED]);

/** The body for `/messages` and its operations: the caller's bytes with some members removed, replaced and appended. */
export const messagesRequestBody = (call: ForwardedText): Buffer =>
  splicedBody(call.request, {
    changes: changesOf(call),
    usual: call.request.operation === undefined ? USUAL : USUAL_OF_COUNT,
  });

/** Options override members of the body, and the gateway's decisions override options. */
function changesOf(call: ForwardedText): Map<string, MemberChange> {
  const changes = new Map<string, MemberChange>();
  changes.set('model', JSON.stringify(call.upstreamModel));
  if (call.request.operation !== undefined) return changes;
  setOptions(changes, call, DECIDED);
  setPrice(changes, call);
  if (call.streamed) changes.set('stream', 'true');
  // The format requires a maximum.
  const bound = call.maxOutputTokens ?? call.reservedOutputTokens;
  if (bound !== undefined) changes.set('max_tokens', String(bound));
  if (call.endUser !== undefined) changes.set('metadata', JSON.stringify({ user_id: call.endUser }));
  return changes;
}

/**
 * Forwards settings that change the vendor's prices only if the endpoint has those prices. Throws invalid_request for
 * an `inference_geo` with other prices.
 */
function setPrice(changes: Map<string, MemberChange>, call: ForwardedText): void {
  const { speed, inference_geo: place } = call.request.members;
  const isUsual = place === undefined || place === null || place === 'global';
  if (!isUsual) throw invalidRequest('inference_geo must be "global", because other values have other prices.');
  if (speed !== undefined && speed !== 'standard' && call.serviceTier !== FAST_TIER) changes.set('speed', REMOVED);
  setTier(changes, call.serviceTier === FAST_TIER ? { ...call, serviceTier: undefined } : call, TIERS_OF_VENDOR);
}

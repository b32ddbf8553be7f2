import type { Members } from '../../../formats/members.js';
import type { WireCall } from '../../ports/text-adapter.port.js';
import type { MemberChange } from '../../../formats/json/json-splice.js';
import { OWN_MEMBERS, setOptions, setTier, splicedBody, usualChanges } from '../../../formats/spliced-body.js';
import { EFFORT_AS_SENT, reasoningMembers } from './reasoning-members.js';
import { COMMON_FORM, perVendor, TIERS_OF_VENDOR, type TextTraits } from './compatible-vendor.js';

/**
 * Members that affect the price. Duplicates of them, and variants of their names in another case, are removed, so that
 * the vendor reads the same values as the gateway.
 */
const DECISIVE = ['input', 'instructions', 'tools', 'text', 'service_tier'];
/** Members that the gateway sets or removes. Nothing is stored at a vendor. */
const REPLACED = ['model', 'stream', 'store', 'background', 'max_output_tokens', 'user', 'safety_identifier'];
/** Members with ids of objects that an account has stored at the vendor. */
const STORED = ['conversation', 'previous_response_id', 'prompt'];
const DECIDED = [...DECISIVE, ...REPLACED, ...STORED];
/** Settings of other formats, which most vendors refuse in `/responses`. */
const FOREIGN = [
  'cache_control',
  'frequency_penalty',
  'logit_bias',
  'min_p',
  'presence_penalty',
  'repetition_penalty',
  'seed',
  'stop',
  'top_a',
  'top_k',
];

/** The body for `/responses` and its operations: the caller's bytes with members removed, replaced and appended. */
export const responsesRequestBody = (call: WireCall, traits = COMMON_FORM): Buffer =>
  splicedBody(call.request, {
    changes: changesOf(call, traits),
    usual: (call.isOwnAccount ? usualOfCaller : usualOfPlatform)(traits),
  });

const usualChangesFor = (kept: readonly string[], removed: readonly string[]) =>
  perVendor(({ responses: { supported = [] } = {} }) => {
    const taken = [...OWN_MEMBERS, ...FOREIGN].filter((name) => !supported.includes(name));
    return usualChanges([...DECISIVE, ...kept], [...taken, ...REPLACED, ...removed]);
  });
const usualOfPlatform = usualChangesFor([], STORED);
const usualOfCaller = usualChangesFor(STORED, []);

/** Options override members of the body, and the gateway's decisions override options. */
function changesOf(call: WireCall, traits: TextTraits): Map<string, MemberChange> {
  const changes = new Map<string, MemberChange>();
  changes.set('model', JSON.stringify(call.upstreamModel));
  if (call.request.operation !== undefined) return changes;
  setTier(changes, call, TIERS_OF_VENDOR);
  setReasoning(changes, call, traits);
  setOptions(changes, call, DECIDED);
  changes.set('store', 'false');
  if (call.streamed) changes.set('stream', 'true');
  if (call.maxOutputTokens !== undefined) changes.set('max_output_tokens', String(call.maxOutputTokens));
  if (call.endUser !== undefined) changes.set(traits.responses?.endUser ?? 'user', JSON.stringify(call.endUser));
  return changes;
}

/** Sets the vendor's name of the effort, and removes members of `reasoning` that only the gateway supports. */
function setReasoning(changes: Map<string, MemberChange>, call: WireCall, traits: TextTraits): void {
  const { reasoning } = call.request.members;
  if (typeof reasoning !== 'object' || reasoning === null || traits.reasoning?.member === 'reasoning') return;
  const style = traits.reasoning?.member === 'reasoning_effort' ? traits.reasoning : EFFORT_AS_SENT;
  const { max_tokens: budget, enabled, exclude, ...rest } = reasoning as Members;
  const mapped = reasoningMembers(style, { reasoning }, call.maxOutputTokens);
  const effort = mapped?.['reasoning_effort'] ?? rest['effort'];
  const isOwn = budget === undefined && enabled === undefined && exclude === undefined;
  if (!isOwn || effort !== rest['effort']) changes.set('reasoning', JSON.stringify({ ...rest, effort }));
}

import { createHash } from 'node:crypto';
import type { WireCall } from '../../ports/text-adapter.port.js';
import { isObject } from '../../../formats/members.js';
import type { RequestBody } from '../../../formats/vendor-text.js';
import {
  elementsOf,
  jsonMembers,
  REMOVED,
  type JsonMember,
  type JsonSplice,
  type MemberChange,
} from '../../../formats/json/json-splice.js';
import { OWN_MEMBERS, setOptions, setTier, splicedBody, usualChanges } from '../../../formats/spliced-body.js';
import { EFFORT_AS_SENT, reasoningMembers } from './reasoning-members.js';
import { COMMON_FORM, perVendor, TIERS_OF_VENDOR, type TextTraits } from './compatible-vendor.js';

/** Members that belong to the gateway, or that few vendors support. */
const OURS = [...OWN_MEMBERS, 'reasoning', 'cache_control'];
/**
 * Members that affect the price. Duplicates of them, and variants of their names in another case, are removed, so that
 * the vendor reads the same values as the gateway.
 */
const DECISIVE = ['messages', 'prompt', 'suffix', 'n', 'tools', 'best_of', 'modalities', 'service_tier'];
const REASONING_OF_MESSAGE = ['reasoning', 'reasoning_content', 'reasoning_details'] as const;

/** The body for `/chat/completions` or `/completions`: the caller's bytes with changed members. */
export const chatRequestBody = (call: WireCall, traits = COMMON_FORM): Buffer =>
  splicedBody(call.request, {
    changes: changesOf(call, traits),
    usual: usualChangesOf(traits),
    inside: (splice, members, request) => changeLists(splice, members, request, traits),
  });

/** Members that the gateway sets or removes. */
const REPLACED = ['model', 'stream', 'stream_options', 'max_tokens', 'max_completion_tokens', 'user'];
const DECIDED = [...DECISIVE, ...REPLACED];

const usualChangesOf = perVendor(({ supported, unsupported = [] }) => {
  const taken = OURS.filter((name) => !supported?.includes(name));
  return usualChanges(DECISIVE, [...taken, ...REPLACED, ...unsupported]);
});

/** Options override members of the body, and the gateway's decisions override options. */
function changesOf(call: WireCall, traits: TextTraits): Map<string, MemberChange> {
  const { members: body } = call.request;
  const { unsupported = [], renamed } = traits;
  const changes = new Map<string, MemberChange>();
  changes.set('model', JSON.stringify(call.upstreamModel));
  setTier(changes, call, TIERS_OF_VENDOR);
  for (const name in renamed) {
    if (body[name] === undefined) continue;
    changes.set(name, REMOVED);
    changes.set(renamed[name]!, JSON.stringify(body[name]));
  }
  setReasoning(changes, call, traits);
  setOptions(changes, call, DECIDED);
  if (call.streamed) {
    changes.set('stream', 'true');
    if (traits.hasStreamOptions !== false) changes.set('stream_options', streamOptions(body['stream_options']));
  }
  if (call.maxOutputTokens !== undefined) changes.set(traits.bound ?? 'max_tokens', String(call.maxOutputTokens));
  if (call.endUser !== undefined && !unsupported.includes('user')) changes.set('user', JSON.stringify(call.endUser));
  return changes;
}

function setReasoning(changes: Map<string, MemberChange>, call: WireCall, traits: TextTraits): void {
  const { members: body } = call.request;
  const style = traits.reasoning ?? EFFORT_AS_SENT;
  if (style.member === 'reasoning') return;
  const set = reasoningMembers(style, body, call.maxOutputTokens);
  if (style.member !== 'reasoning_effort' && body['reasoning_effort'] !== undefined)
    changes.set('reasoning_effort', REMOVED);
  if (!set) return;
  for (const [name, value] of Object.entries(set)) {
    // If the caller sends the vendor's own member, it is kept.
    const isOwn = body[name] !== undefined && name !== 'reasoning_effort';
    if (!isOwn && body[name] !== value) changes.set(name, JSON.stringify(value));
  }
}

const streamOptions = (sent: unknown): string =>
  isObject(sent) ? JSON.stringify({ ...sent, include_usage: true }) : '{"include_usage":true}';

const CACHE_CONTROL = Buffer.from('cache_control');
const WITHOUT_CACHE_CONTROL: ReadonlyMap<string, MemberChange> = new Map([['cache_control', REMOVED]]);

/**
 * Changes messages and tools. Messages may contain output of other vendors, so reasoning is moved to the member that
 * the vendor accepts, or removed. Cache breakpoints are removed for vendors that refuse them. The bytes of a list are
 * scanned only if an entry changes, because most bodies have no reasoning and no breakpoints.
 */
function changeLists(
  splice: JsonSplice,
  members: readonly JsonMember[],
  { bytes, members: body }: RequestBody,
  traits: TextTraits,
): void {
  const hasBreakpoints = !traits.supported?.includes('cache_control') && bytes.indexOf(CACHE_CONTROL) >= 0;
  for (const list of ['messages', 'tools'] as const) {
    const values: unknown = body[list];
    if (!Array.isArray(values)) continue;
    const changes = values.map((value) => changesInList(list, value, hasBreakpoints, traits));
    if (!changes.some((change) => change)) continue;
    const { valueStart } = members.findLast(({ name }) => name === list)!;
    for (const [index, { start }] of elementsOf(bytes, valueStart).entries()) {
      const change = changes[index];
      if (!change) continue;
      const inner = jsonMembers(bytes, start);
      splice.object(inner, change, start);
      const content = inner.findLast(({ name }) => name === 'content');
      if (!hasBreakpoints || !content || bytes[content.valueStart] !== 0x5b) continue;
      for (const part of elementsOf(bytes, content.valueStart))
        if (bytes[part.start] === 0x7b)
          splice.object(jsonMembers(bytes, part.start), WITHOUT_CACHE_CONTROL, part.start);
    }
  }
}

function changesInList(
  list: 'messages' | 'tools',
  value: unknown,
  hasBreakpoints: boolean,
  traits: TextTraits,
): ReadonlyMap<string, MemberChange> | undefined {
  if (!isObject(value)) return undefined;
  const hasReasoning =
    traits.messageReasoning !== 'reasoning' && REASONING_OF_MESSAGE.some((name) => value[name] !== undefined);
  const isChanged = list === 'messages' && (hasReasoning || traits.hasShortToolIds === true);
  if (!isChanged) return hasBreakpoints ? WITHOUT_CACHE_CONTROL : undefined;
  const changes = new Map(hasBreakpoints ? WITHOUT_CACHE_CONTROL : []);
  if (hasReasoning) {
    for (const name of REASONING_OF_MESSAGE) changes.set(name, REMOVED);
    const text = value['reasoning'] ?? value['reasoning_content'];
    if (traits.messageReasoning && typeof text === 'string') changes.set(traits.messageReasoning, JSON.stringify(text));
  }
  if (!traits.hasShortToolIds) return changes;
  const { tool_call_id: id, tool_calls: calls } = value;
  if (typeof id === 'string') changes.set('tool_call_id', JSON.stringify(shortId(id)));
  if (Array.isArray(calls)) changes.set('tool_calls', JSON.stringify(calls.map(withShortId)));
  return changes;
}

const withShortId = (toolCall: unknown): unknown =>
  isObject(toolCall) && typeof toolCall['id'] === 'string' ? { ...toolCall, id: shortId(toolCall['id']) } : toolCall;

const shortId = (id: string): string =>
  /^[A-Za-z0-9]{9}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);

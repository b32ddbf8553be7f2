import type { FinishReason } from '../conversation.js';
import { finishReasonOf } from '../finish-reason.js';
import type { ResponseHead, ResponseOptions } from '../client-format.js';
import { hasMembers, isObject, isSet, membersOf, objectsIn, textOf, wholeNumber, type Members } from '../members.js';
import { restoredCall } from '../tools/namespaces.js';
import { normalisedItem, TOOL_CALLS } from './items/output-items.js';

/**
 * A started response, with all members that clients need. Members without a value are null, except if clients refuse
 * null. `request`: the body of the request; a response repeats some of its members.
 */
export function responseObject({ id, model, provider, created }: ResponseHead, request: Members): Members {
  const { effort = null, summary = null } = membersOf(request['reasoning']);
  const orNull = (name: string): unknown => request[name] ?? null;
  return {
    id,
    object: 'response',
    created_at: created,
    completed_at: null,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: orNull('instructions'),
    max_output_tokens: orNull('max_output_tokens'),
    max_tool_calls: orNull('max_tool_calls'),
    model,
    provider,
    output: [],
    parallel_tool_calls: request['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    prompt_cache_key: orNull('prompt_cache_key'),
    reasoning: { effort, summary },
    store: false,
    temperature: orNull('temperature'),
    text: request['text'] ?? { format: { type: 'text' } },
    tool_choice: request['tool_choice'] ?? 'auto',
    tools: request['tools'] ?? [],
    top_p: orNull('top_p'),
    frequency_penalty: orNull('frequency_penalty'),
    presence_penalty: orNull('presence_penalty'),
    truncation: request['truncation'] ?? 'disabled',
    user: orNull('user'),
    metadata: request['metadata'] ?? {},
  };
}

/** Members that are not taken from a vendor's response: our own, and members whose value was changed for the vendor. */
const REPLACED_MEMBERS = [
  'id',
  'object',
  'model',
  'provider',
  'usage',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'instructions',
  'metadata',
];

/**
 * Members of a response that repeat the request. If the tools were changed for the vendor, these members are taken from
 * the caller's request instead of the vendor's response.
 */
const TOOL_MEMBERS = ['tools', 'tool_choice', 'max_tool_calls'];

/** A vendor's response in a form that all clients can read, without its usage. */
export function normalisedResponse(
  sent: Members,
  head: ResponseHead,
  { request, toolNames }: Pick<ResponseTerms, 'request' | 'toolNames'>,
): Members {
  const started = responseObject(head, request);
  const normalised: Record<string, unknown> = { ...started };
  for (const [name, value] of Object.entries(sent))
    if (isSet(value) && !REPLACED_MEMBERS.includes(name)) normalised[name] = value;
  normalised['created_at'] = wholeNumber(sent['created_at']) ?? head.created;
  normalised['completed_at'] = wholeNumber(sent['completed_at']) ?? null;
  normalised['output'] = outputOf(sent).map((item) => restoredCall(normalisedItem(item), toolNames));
  if (toolNames) for (const name of TOOL_MEMBERS) normalised[name] = started[name];
  if (!Array.isArray(normalised['tools'])) normalised['tools'] = started['tools'];
  if (typeof normalised['parallel_tool_calls'] !== 'boolean') normalised['parallel_tool_calls'] = true;
  return normalised;
}

/** Additional properties that affect the form of a response. */
export interface ResponseTerms extends Pick<ResponseOptions, 'excludesReasoning' | 'toolNames'> {
  /** The body of the request. */
  readonly request: Members;
}

/** A vendor's final response, without its usage. */
export function endedResponse(sent: Members, head: ResponseHead, terms: ResponseTerms): Members {
  const { completed_at: at, output, ...normalised } = normalisedResponse(sent, head, terms);
  const items = output as readonly Members[];
  return {
    ...normalised,
    status: sent['status'] ?? 'completed',
    completed_at: at ?? Math.floor(Date.now() / 1_000),
    output: terms.excludesReasoning ? items.filter(({ type }) => type !== 'reasoning') : items,
  };
}

export const outputOf = ({ output }: Members): readonly Members[] => objectsIn(output);

/** How a vendor's response ended; undefined if it failed or has not ended. */
export function endOf(
  response: Members,
): { readonly reason: FinishReason; readonly native: string | null } | undefined {
  const { status, incomplete_details: details } = response;
  // Some vendors omit the status.
  if (status === 'completed' || status === undefined || status === null) {
    const hasCalls = outputOf(response).some(({ type }) => TOOL_CALLS.has(type));
    return { reason: hasCalls ? 'tool_calls' : 'stop', native: textOf(status) ?? null };
  }
  if (status !== 'incomplete') return undefined;
  const native = textOf(membersOf(details)['reason']) ?? null;
  const reason = finishReasonOf(native ?? 'max_output_tokens', false);
  return { reason: reason === 'error' ? 'length' : reason, native };
}

/** The members of a response that describe its end. */
export function statusMembers(reason: FinishReason | undefined): Members {
  const why = reason === 'length' ? 'max_output_tokens' : reason === 'content_filter' ? reason : undefined;
  return why === undefined ? { status: 'completed' } : { status: 'incomplete', incomplete_details: { reason: why } };
}

/** The vendor's usage, with the calls of its own tools, which are counted from the output items. */
export function usageOfResponse(response: Members): unknown {
  const { usage } = response;
  if (isSet(usage) && !isObject(usage)) return usage;
  const calls = new HostedCalls();
  if (outputOf(response).filter((item) => calls.add(item)).length === 0) return usage ?? undefined;
  return { ...calls.usage(), ...membersOf(usage) };
}

/** Types of items that are calls of the vendor's own tools, with the member of the usage that counts them. */
const HOSTED_CALLS: ReadonlyMap<unknown, string> = new Map([
  ['code_interpreter_call', 'code_interpreter_calls'],
  ['file_search_call', 'file_search_calls'],
  ['mcp_call', 'mcp_calls'],
]);

/** Counts the calls of hosted tools in a response. */
export class HostedCalls {
  #searches = 0;
  readonly #others: Record<string, number> = {};

  /** Counts the item if it is a call of a hosted tool. Returns whether it was counted. */
  add({ type, action }: Members): boolean {
    // Opening a page of the results is not a search.
    if (type === 'web_search_call' && (membersOf(action)['type'] ?? 'search') === 'search') {
      this.#searches++;
      return true;
    }
    const name = HOSTED_CALLS.get(type);
    if (name !== undefined) this.#others[name] = (this.#others[name] ?? 0) + 1;
    return name !== undefined;
  }

  /** The counts in the form of members of a usage. */
  usage(): Members {
    return {
      ...(this.#searches > 0 ? { num_search_queries: this.#searches } : {}),
      ...(hasMembers(this.#others) ? { server_tool_use_details: { ...this.#others } } : {}),
    };
  }
}

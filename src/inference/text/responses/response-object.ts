import type { FinishReason } from '../../../providers/spec/conversation.js';
import { finishReasonOf } from '../../../providers/spec/finish-reason.js';
import type { ResponseHead } from '../client-format.js';
import { isObject, membersOf, textOf, wholeNumber, type Members } from '../../../providers/spec/json-members.js';
import { mendedItem, TOOL_CALLS } from './output-items.js';

/**
 * A response that has begun, with all members that clients need: null where there is no value, except for those that
 * clients refuse as null. `request`: the body of the request, of which a response repeats members.
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

/** Members that a vendor's response does not decide: ours, and those that the vendor gets another value of. */
const NOT_OF_VENDOR = [
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

/** A vendor's response as all clients read it, without its usage. */
export function mendedResponse(sent: Members, head: ResponseHead, request: Members): Members {
  const begun = responseObject(head, request);
  const mended: Record<string, unknown> = { ...begun };
  for (const [name, value] of Object.entries(sent))
    if (value !== null && value !== undefined && !NOT_OF_VENDOR.includes(name)) mended[name] = value;
  mended['created_at'] = wholeNumber(sent['created_at']) ?? head.created;
  mended['completed_at'] = wholeNumber(sent['completed_at']) ?? null;
  mended['output'] = outputOf(sent).map(mendedItem);
  if (!Array.isArray(mended['tools'])) mended['tools'] = begun['tools'];
  if (typeof mended['parallel_tool_calls'] !== 'boolean') mended['parallel_tool_calls'] = true;
  return mended;
}

/** What else decides the form of a response. */
interface ResponseTerms {
  /** The body of the request. */
  readonly request: Members;
  readonly excludesReasoning: boolean;
}

/** A vendor's response that has ended, without its usage. */
export function endedResponse(sent: Members, head: ResponseHead, terms: ResponseTerms): Members {
  const { completed_at: at, output, ...mended } = mendedResponse(sent, head, terms.request);
  const items = output as readonly Members[];
  return {
    ...mended,
    status: sent['status'] ?? 'completed',
    completed_at: at ?? Math.floor(Date.now() / 1_000),
    output: terms.excludesReasoning ? items.filter(({ type }) => type !== 'reasoning') : items,
  };
}

export const outputOf = ({ output }: Members): readonly Members[] =>
  Array.isArray(output) ? (output as unknown[]).filter(isObject) : [];

/** How a vendor's response ended; undefined = it has failed, or has not ended. */
export function endOf(response: Members): { readonly reason: FinishReason; readonly native: string } | undefined {
  const { status, incomplete_details: details } = response;
  // Some vendors leave the status out.
  if (status === 'completed' || status === undefined || status === null) {
    const hasCalls = outputOf(response).some(({ type }) => TOOL_CALLS.has(type));
    return { reason: hasCalls ? 'tool_calls' : 'stop', native: 'completed' };
  }
  if (status !== 'incomplete') return undefined;
  const native = textOf(membersOf(details)['reason']) ?? 'max_output_tokens';
  const reason = finishReasonOf(native, false);
  return { reason: reason === 'error' ? 'length' : reason, native };
}

/** The members of a response that say how it ended. */
export function statusMembers(reason: FinishReason | undefined): Members {
  const why = reason === 'length' ? 'max_output_tokens' : reason === 'content_filter' ? reason : undefined;
  return why === undefined ? { status: 'completed' } : { status: 'incomplete', incomplete_details: { reason: why } };
}

/** The vendor's report, with the web searches that it counts by their items only. */
export function reportedUsage(response: Members): unknown {
  const { usage } = response;
  if (!isObject(usage)) return usage ?? undefined;
  const searches = outputOf(response).filter(({ type }) => type === 'web_search_call').length;
  return searches > 0 && usage['num_search_queries'] === undefined && usage['server_tool_use'] === undefined
    ? { ...usage, num_search_queries: searches }
    : usage;
}

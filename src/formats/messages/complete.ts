import type { GatewayError } from '../../kernel/errors/errors.js';
import { badResponse } from '../bad-response.js';
import type { FinishReason } from '../conversation.js';
import { finishReasonOf } from '../finish-reason.js';
import type { CompleteBody, ResponseHead, WireReport } from '../client-format.js';
import { elementsIn, hasMembers, isObject, isSet, membersOf, textOf, wholeNumber, type Members } from '../members.js';
import { printed, responseMembers } from '../response-members.js';

/** The error that a body or an event contains; undefined if there is none. */
export function errorOf({ type, error, ...rest }: Members): unknown {
  if (isSet(error)) return error;
  return type === 'error' ? rest : undefined;
}

/** A vendor's finish reason in canonical form. An unknown reason is no failure in this format, and counts as `stop`. */
export function finishOf(native: string, hasToolUse: boolean): FinishReason {
  const reason = finishReasonOf(native, hasToolUse);
  return reason === 'error' ? 'stop' : reason;
}

/** The service tier that was used. The member `speed` reports a fast response. */
export const servedTier = ({ speed, service_tier: tier }: Members): string | undefined =>
  speed === 'fast' ? speed : textOf(tier);

export const withoutNulls = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

/** The message of the first event, with our id and model, and with the counts that clients require. */
export function startedMessage(message: Members, { id, model, provider }: ResponseHead): object {
  const usage = membersOf(message['usage']);
  const count = (name: string): number => wholeNumber(usage[name]) ?? 0;
  return {
    stop_reason: null,
    stop_sequence: null,
    ...message,
    id,
    type: 'message',
    role: 'assistant',
    model,
    provider,
    content: elementsIn(message['content']),
    usage: { ...usage, input_tokens: count('input_tokens'), output_tokens: count('output_tokens') },
  };
}

/** The text of a block, for counting its tokens if the vendor reports none. */
export function textsOfBlock({ type, text, thinking, name, input }: Members): string[] {
  const json = type === 'tool_use' && isObject(input) && hasMembers(input) ? JSON.stringify(input) : '';
  return [text, thinking, name, json].filter((value): value is string => typeof value === 'string' && value !== '');
}

/** Whether a block is a web search of the vendor. */
export const isSearch = ({ type, name }: Members): boolean => type === 'server_tool_use' && name === 'web_search';

/** The web searches that this service counted, as members of a usage. */
export const searchesMade = (searches: number): Members =>
  searches === 0 ? {} : { server_tool_use: { web_search_requests: searches } };

/** Whether a block contains generated output. An empty text block or thinking block contains no output. */
const isOutput = (block: Members): boolean =>
  (block['type'] !== 'text' && block['type'] !== 'thinking') || textsOfBlock(block).length > 0;

/** A vendor's complete response, with our id and model. Throws provider_failed for an invalid body. */
export function completeMessage(
  body: Buffer,
  { id, model, provider }: ResponseHead,
  failure: (error: unknown) => GatewayError,
): CompleteBody & WireReport {
  const message = responseMembers(body, JSON.parse);
  const error = errorOf(message);
  if (error !== undefined) throw failure(error);
  const { content, usage, ...rest } = message;
  if (!Array.isArray(content)) throw badResponse('holds no content');
  const blocks = (content as unknown[]).map(membersOf);
  const native = textOf(rest['stop_reason']) || null;
  const stopReason = native ?? 'end_turn';
  const own = { id, type: 'message', role: 'assistant', model, provider };
  // Serialised before anything is billed, because a response that is nested too deeply counts as failed.
  const text = printed({ stop_sequence: null, ...rest, ...own, content, stop_reason: stopReason });
  const texts = blocks.flatMap(textsOfBlock);
  const reported = membersOf(usage);
  return {
    usage: isObject(usage)
      ? { ...searchesMade(blocks.filter(isSearch).length), ...withoutNulls(usage) }
      : (usage ?? undefined),
    upstreamId: textOf(rest['id']) || undefined,
    serviceTier: servedTier(reported),
    finishReason: finishOf(
      stopReason,
      blocks.some(({ type }) => type === 'tool_use'),
    ),
    nativeFinishReason: native,
    finished: true,
    sawOutput: blocks.some(isOutput),
    text: () => texts,
    body: (billed) => `${text.slice(0, -1)},"usage":${JSON.stringify({ ...reported, ...billed })}}`,
  };
}

/** Turns a complete response into stream events. An unreadable body is returned unchanged, and the relay refuses it. */
export function wholeMessageEvents(body: Buffer): Buffer[] {
  try {
    const message: unknown = JSON.parse(body.toString('utf8'));
    if (!isObject(message) || !Array.isArray(message['content'])) return [body];
    const { content, stop_reason, stop_sequence, usage, ...rest } = message;
    const events = [
      { type: 'message_start', message: { ...rest, content: [], usage } },
      ...(content as unknown[]).flatMap((block, index) => blockEvents(membersOf(block), index)),
      { type: 'message_delta', delta: { stop_reason: stop_reason ?? 'end_turn', stop_sequence }, usage },
      { type: 'message_stop' },
    ];
    return events.map((event) => Buffer.from(JSON.stringify(event)));
  } catch {
    return [body];
  }
}

function blockEvents(block: Members, index: number): { readonly type: string }[] {
  const { started, deltas } = startOf(block);
  return [
    { type: 'content_block_start', index, content_block: started } as { readonly type: string },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index } as { readonly type: string },
  ];
}

/** The start of a block in a stream, and the deltas that follow. Clients read the content only from the deltas. */
function startOf(block: Members): { readonly started: Members; readonly deltas: readonly Members[] } {
  const { type, text, thinking, signature, input, citations } = block;
  if (type === 'text')
    return {
      started: { ...block, text: '', ...(citations ? { citations: [] } : {}) },
      deltas: [
        { type: 'text_delta', text },
        ...elementsIn(citations).map((citation) => ({ type: 'citations_delta', citation })),
      ],
    };
  if (type === 'thinking')
    return {
      started: { ...block, thinking: '', signature: '' },
      deltas: [
        { type: 'thinking_delta', thinking },
        { type: 'signature_delta', signature: signature ?? '' },
      ],
    };
  if (type === 'tool_use' || type === 'server_tool_use')
    return {
      started: { ...block, input: {} },
      deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(input ?? {}) }],
    };
  return { started: block, deltas: [] };
}

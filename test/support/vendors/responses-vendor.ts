import { EventLines } from '../../../src/providers/wire/event-lines.js';
import { CHAT_TEXT, type ChatScript } from './scripted-chat-vendor.js';

export const RESPONSES_USAGE = {
  input_tokens: 11,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 18,
};

type Members = Readonly<Record<string, unknown>>;

/** A response in this format, as a vendor sends it. */
export const vendorResponse = (output: readonly Members[], more: Members = {}): Members => ({
  id: 'resp_vendor',
  object: 'response',
  created_at: 1_790_000_000,
  status: 'completed',
  background: false,
  completed_at: 1_790_000_001,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  model: 'vendor-model',
  output,
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  service_tier: 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  usage: RESPONSES_USAGE,
  user: null,
  metadata: {},
  ...more,
});

export const messageItem = (text: string, id = 'msg_1'): Members => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
});

export const callItem = (name: string, input: object, id = 'call_1'): Members => ({
  id: `fc_${id}`,
  type: 'function_call',
  status: 'completed',
  arguments: JSON.stringify(input),
  call_id: id,
  name,
});

export const reasoningItem = (summary: string, encrypted = 'gAAAA-sealed', id = 'rs_1'): Members => ({
  id,
  type: 'reasoning',
  encrypted_content: encrypted,
  summary: [{ type: 'summary_text', text: summary }],
});

/** A padding of arbitrary text, which some vendors add to deltas. */
const padding = (index: number): string => 'aZ3'.repeat((index % 5) + 1);

interface StreamForm {
  /** The pieces into which each text is split. */
  readonly pieces?: readonly string[];
  /** Additional members of the final response. */
  readonly more?: Members;
  /** The type of the last event. */
  readonly last?: string;
}

/** The events with which a vendor sends these items. */
export function vendorEvents(
  items: readonly Members[],
  { pieces, more = {}, last = 'response.completed' }: StreamForm = {},
): Members[] {
  const begun = vendorResponse([], { status: 'in_progress', completed_at: null, usage: null });
  const events: Members[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap((item, index) => eventsOf(item, index, pieces)),
    { type: last, response: vendorResponse(items, more) },
  ];
  // The member order of the format's first vendor.
  return events.map(({ type, ...rest }, index) => ({ type, sequence_number: index, ...rest }));
}

function eventsOf(item: Members, index: number, pieces?: readonly string[]): Members[] {
  const place = { output_index: index };
  const named = { item_id: item['id'], ...place };
  const added = (begun: Members): Members => ({ type: 'response.output_item.added', ...place, item: begun });
  const done = { type: 'response.output_item.done', ...place, item };
  if (item['type'] === 'function_call') {
    const json = item['arguments'] as string;
    const parts = [json.slice(0, 3), json.slice(3)];
    return [
      added({ ...item, arguments: '', status: 'in_progress' }),
      ...parts.map((delta, at) => ({
        type: 'response.function_call_arguments.delta',
        ...named,
        delta,
        obfuscation: padding(at),
      })),
      { type: 'response.function_call_arguments.done', ...named, arguments: json },
      done,
    ];
  }
  if (item['type'] === 'reasoning') {
    const [part] = item['summary'] as { text: string }[];
    const at = { ...named, summary_index: 0 };
    return [
      added({ ...item, encrypted_content: 'gAAAA', summary: [] }),
      { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
      { type: 'response.reasoning_summary_text.delta', ...at, delta: part!.text, obfuscation: padding(1) },
      { type: 'response.reasoning_summary_text.done', ...at, text: part!.text },
      { type: 'response.reasoning_summary_part.done', ...at, part },
      done,
    ];
  }
  if (item['type'] !== 'message') return [added({ ...item, status: 'in_progress' }), done];
  const [part] = item['content'] as { text: string }[];
  const at = { ...named, content_index: 0 };
  return [
    added({ ...item, status: 'in_progress', content: [] }),
    { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
    ...(pieces ?? [part!.text]).map((delta, order) => ({
      type: 'response.output_text.delta',
      ...at,
      delta,
      logprobs: [],
      obfuscation: padding(order),
    })),
    { type: 'response.output_text.done', ...at, text: part!.text, logprobs: [] },
    { type: 'response.content_part.done', ...at, part },
    done,
  ];
}

/** The events as bytes, with their names on separate lines. */
export const namedEventBytes = (events: readonly Members[]): Buffer =>
  Buffer.from(events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join(''));

/** One message, with usage for all token classes. */
export const goodResponsesScript = (streamed: boolean): ChatScript =>
  responsesScript([messageItem(CHAT_TEXT.join(''))], streamed, { pieces: CHAT_TEXT });

export const responsesScript = (items: readonly Members[], streamed: boolean, form: StreamForm = {}): ChatScript =>
  streamed ? { bytes: namedEventBytes(vendorEvents(items, form)) } : { body: vendorResponse(items, form.more) };

/** The data of the events that are complete after each chunk of a vendor's stream. */
export function dataIn(chunks: readonly Buffer[]): Buffer[][] {
  const lines = new EventLines();
  return chunks.map((chunk) => lines.push(chunk));
}

/** The events of our own stream. Checks their framing. */
// oxlint-disable-next-line typescript/no-explicit-any
export function eventsIn(bytes: Buffer | string): any[] {
  const blocks = bytes
    .toString()
    .split('\n\n')
    .filter((block) => !block.startsWith(':'));
  if (blocks.pop() !== '') throw new Error('the last event is incomplete');
  return blocks.map((block) => {
    const [, name, data] = /^event: ([^\n]*)\ndata: ([^\n]*)$/.exec(block) ?? [];
    if (data === undefined) throw new Error(`not an event: ${block}`);
    const event = JSON.parse(data) as { type: string };
    if (event.type !== name) throw new Error(`an event of type ${event.type} is named ${name}`);
    return event;
  });
}

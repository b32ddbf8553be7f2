import type { VendorFormat } from '../../../src/formats/vendor-text.js';
import { TEXT_VENDORS, type TextVendorFormat, type VendorTurn } from './text-vendor-formats.js';

/** A wire format in which vendors send a turn. */
export type WireFormat = Pick<TextVendorFormat, 'json' | 'events' | 'stop' | 'usage'>;

const data = (event: object): Buffer => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);

const CHAT_HEAD = { id: 'chatcmpl-1', created: 1_790_000_000, model: 'vendor-model', service_tier: 'default' };

const citation = ({ citation: cited }: VendorTurn): object[] | undefined =>
  cited && [{ type: 'url_citation', url_citation: { ...cited, start_index: 0, end_index: 2 } }];

const chatCalls = ({ call }: VendorTurn): object[] | undefined =>
  call && [{ id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } }];

/** `/chat/completions`, with reasoning in the form of most vendors of open models. */
const chat: WireFormat = {
  stop: 'stop',
  usage: {
    prompt_tokens: 100,
    completion_tokens: 7,
    total_tokens: 107,
    prompt_tokens_details: { cached_tokens: 40 },
    completion_tokens_details: { reasoning_tokens: 2 },
  },
  json: (turn) => ({
    ...CHAT_HEAD,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: turn.text?.join('') ?? null,
          refusal: turn.refusal ?? null,
          reasoning_content: turn.reasoning?.text,
          tool_calls: chatCalls(turn),
          annotations: citation(turn),
        },
        logprobs: null,
        finish_reason: turn.finish,
      },
    ],
    usage: turn.usage,
  }),
  events: (turn) => {
    const chunk = (delta: object, finish: string | null = null, rest: object = {}): Buffer =>
      data({
        ...CHAT_HEAD,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
        usage: null,
        ...rest,
      });
    const [call] = chatCalls(turn) ?? [];
    const { function: called, ...head } = (call ?? {}) as { function?: { name: string; arguments: string } };
    const pieces = called ? [called.arguments.slice(0, 3), called.arguments.slice(3)] : [];
    return [
      chunk({ role: 'assistant', content: '', refusal: null }),
      ...(turn.reasoning ? [chunk({ reasoning_content: turn.reasoning.text })] : []),
      ...(turn.text ?? []).map((content) => chunk({ content })),
      ...(turn.refusal === undefined ? [] : [chunk({ refusal: turn.refusal })]),
      ...(turn.citation ? [chunk({ annotations: citation(turn) })] : []),
      ...(called
        ? [chunk({ tool_calls: [{ index: 0, ...head, function: { name: called.name, arguments: '' } }] })]
        : []),
      ...pieces.map((piece) => chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
      chunk({}, turn.finish),
      data({ ...CHAT_HEAD, object: 'chat.completion.chunk', choices: [], usage: turn.usage }),
      Buffer.from('data: [DONE]\n\n'),
    ];
  },
};

const REASON_OF_INCOMPLETE = new Set(['max_output_tokens', 'content_filter']);

/** `finish`: `completed`, or the reason of an incomplete response. */
const responseOf = (turn: VendorTurn, output: readonly object[], more: object = {}): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_790_000_000,
  status: REASON_OF_INCOMPLETE.has(turn.finish) ? 'incomplete' : turn.finish,
  error: null,
  incomplete_details: REASON_OF_INCOMPLETE.has(turn.finish) ? { reason: turn.finish } : null,
  instructions: null,
  metadata: {},
  model: 'vendor-model',
  output,
  parallel_tool_calls: true,
  service_tier: 'default',
  store: false,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  usage: turn.usage,
  ...more,
});

/** An output item, and the events that send it in pieces. The events have no position yet. */
interface ScriptedItem {
  readonly item: Readonly<Record<string, unknown>>;
  /** The item before its pieces. */
  readonly begun: object;
  readonly pieces: readonly object[];
}

function itemsOf({ reasoning, text, refusal, citation: cited, call }: VendorTurn): ScriptedItem[] {
  const items: ScriptedItem[] = [];
  if (reasoning) {
    const summary = { type: 'summary_text', text: reasoning.text };
    const item = { id: 'rs_1', type: 'reasoning', summary: [summary], encrypted_content: reasoning.signature };
    const place = { item_id: 'rs_1', summary_index: 0 };
    items.push({
      item,
      begun: { ...item, summary: [], encrypted_content: undefined },
      pieces: [
        { type: 'response.reasoning_summary_part.added', ...place, part: { ...summary, text: '' } },
        { type: 'response.reasoning_summary_text.delta', ...place, delta: reasoning.text },
        { type: 'response.reasoning_summary_text.done', ...place, text: reasoning.text },
        { type: 'response.reasoning_summary_part.done', ...place, part: summary },
      ],
    });
  }
  if (text || refusal !== undefined) {
    const place = { item_id: 'msg_1', content_index: 0 };
    const annotation = cited && { type: 'url_citation', ...cited, start_index: 0, end_index: 2 };
    const part =
      refusal === undefined
        ? { type: 'output_text', text: text!.join(''), annotations: annotation ? [annotation] : [], logprobs: [] }
        : { type: 'refusal', refusal };
    const base = { id: 'msg_1', type: 'message', role: 'assistant' };
    items.push({
      item: { ...base, status: 'completed', content: [part] },
      begun: { ...base, status: 'in_progress', content: [] },
      pieces: [
        { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
        ...(text ?? []).map((delta) => ({ type: 'response.output_text.delta', ...place, delta, logprobs: [] })),
        ...(refusal === undefined
          ? [{ type: 'response.output_text.done', ...place, text: text!.join(''), logprobs: [] }]
          : [
              { type: 'response.refusal.delta', ...place, delta: refusal },
              { type: 'response.refusal.done', ...place, refusal },
            ]),
        ...(annotation
          ? [{ type: 'response.output_text.annotation.added', ...place, annotation_index: 0, annotation }]
          : []),
        { type: 'response.content_part.done', ...place, part },
      ],
    });
  }
  if (call) {
    const json = JSON.stringify(call.input);
    const base = { id: 'fc_1', type: 'function_call', call_id: call.id, name: call.name };
    const piece = { type: 'response.function_call_arguments.delta', item_id: 'fc_1' };
    items.push({
      item: { ...base, status: 'completed', arguments: json },
      begun: { ...base, status: 'in_progress', arguments: '' },
      pieces: [
        { ...piece, delta: json.slice(0, 3) },
        { ...piece, delta: json.slice(3) },
        { type: 'response.function_call_arguments.done', item_id: 'fc_1', arguments: json },
      ],
    });
  }
  return items;
}

/** `/responses`, with all of its events. */
const responses: WireFormat = {
  stop: 'completed',
  usage: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 107,
  },
  json: (turn) =>
    responseOf(
      turn,
      itemsOf(turn).map(({ item }) => item),
    ),
  events: (turn) => {
    const items = itemsOf(turn);
    const begun = responseOf(turn, [], { status: 'in_progress', incomplete_details: null, usage: null });
    const whole = responseOf(
      turn,
      items.map(({ item }) => item),
    );
    const events = [
      { type: 'response.created', response: begun },
      { type: 'response.in_progress', response: begun },
      ...items.flatMap(({ item, begun: start, pieces }, index) =>
        [
          { type: 'response.output_item.added', item: start },
          ...pieces,
          { type: 'response.output_item.done', item },
        ].map((event) => ({ ...event, output_index: index })),
      ),
      {
        type: REASON_OF_INCOMPLETE.has(turn.finish) ? 'response.incomplete' : 'response.completed',
        response: whole,
      },
    ];
    return events.map((event, index) => {
      const { type } = event as { type: string };
      return Buffer.concat([Buffer.from(`event: ${type}\n`), data({ ...event, sequence_number: index })]);
    });
  },
};

/** The formats in which vendors send a turn. */
export const WIRE_FORMATS: Readonly<Record<VendorFormat, WireFormat>> = {
  chat,
  responses,
  messages: TEXT_VENDORS.anthropic,
};

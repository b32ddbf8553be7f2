import { bedrock } from './bedrock-format.js';

/** The model's output in one response, independent of the formats of vendors. */
export interface VendorTurn {
  readonly reasoning?: { readonly text: string; readonly signature?: string };
  readonly text?: readonly string[];
  readonly call?: { readonly id: string; readonly name: string; readonly input: object; readonly signature?: string };
  /** Replaces the text, in formats that distinguish refusals. */
  readonly refusal?: string;
  /** A source of the text, in formats with sources. */
  readonly citation?: { readonly url: string; readonly title: string };
  /** The vendor's own finish reason. */
  readonly finish: string;
  /** The vendor's own usage. */
  readonly usage: object;
}

/** A vendor's format for a turn. */
export interface TextVendorFormat {
  readonly slug: string;
  readonly package: string;
  readonly model: string;
  readonly credential: string;
  readonly contentType: string;
  /** The finish reason of a complete response. */
  readonly stop: string;
  /** A usage with all token classes of the format. */
  readonly usage: object;
  /** The body of a buffered response. */
  json(turn: VendorTurn): object;
  /** The events of a streamed response. */
  events(turn: VendorTurn): Buffer[];
  /** An error event in the middle of a stream. */
  readonly errorEvent: Buffer;
  readonly errorBody: object;
}

const data = (event: object): Buffer => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const named = (event: { type: string }): Buffer =>
  Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

const anthropic: TextVendorFormat = {
  slug: 'anthropic',
  package: '@ai-sdk/anthropic',
  model: 'claude-sonnet-4-5',
  credential: 'anthropic-secret',
  contentType: 'text/event-stream',
  stop: 'end_turn',
  usage: {
    input_tokens: 10,
    cache_read_input_tokens: 300,
    cache_creation_input_tokens: 50,
    cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
    output_tokens: 7,
  },
  json: ({ reasoning, text, call, finish, usage }) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [
      ...(reasoning ? [{ type: 'thinking', thinking: reasoning.text, signature: reasoning.signature }] : []),
      ...(text ? [{ type: 'text', text: text.join('') }] : []),
      ...(call ? [{ type: 'tool_use', id: call.id, name: call.name, input: call.input }] : []),
    ],
    stop_reason: finish,
    stop_sequence: null,
    usage,
  }),
  events: ({ reasoning, text, call, finish, usage }) => {
    const { output_tokens: output, ...input } = usage as { output_tokens: number };
    const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null };
    const blocks: object[][] = [];
    const block = (start: object, deltas: readonly object[]): void => {
      const index = blocks.length;
      blocks.push([
        { type: 'content_block_start', index, content_block: start },
        ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]);
    };
    if (reasoning)
      block({ type: 'thinking', thinking: '', signature: '' }, [
        { type: 'thinking_delta', thinking: reasoning.text },
        { type: 'signature_delta', signature: reasoning.signature },
      ]);
    if (text)
      block(
        { type: 'text', text: '' },
        text.map((piece) => ({ type: 'text_delta', text: piece })),
      );
    if (call) {
      const json = JSON.stringify(call.input);
      block({ type: 'tool_use', id: call.id, name: call.name, input: {} }, [
        { type: 'input_json_delta', partial_json: json.slice(0, 3) },
        { type: 'input_json_delta', partial_json: json.slice(3) },
      ]);
    }
    return [
      { type: 'message_start', message: { ...message, usage: { ...input, output_tokens: 1 } } },
      { type: 'ping' },
      ...blocks.flat(),
      { type: 'message_delta', delta: { stop_reason: finish, stop_sequence: null }, usage: { output_tokens: output } },
      { type: 'message_stop' },
    ].map((event) => named(event as { type: string }));
  },
  errorEvent: named({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as { type: string }),
  errorBody: { type: 'error', error: { type: 'invalid_request_error', message: 'max_tokens: too many' } },
};

const googleChunk = (parts: readonly object[], rest: object = {}, candidate: object = {}): object => ({
  responseId: 'resp_1',
  candidates: [{ index: 0, content: { role: 'model', parts }, ...candidate }],
  ...rest,
});

function googleParts({ reasoning, text = [], call }: VendorTurn): object[] {
  return [
    ...(reasoning ? [{ text: reasoning.text, thought: true, thoughtSignature: reasoning.signature }] : []),
    ...text.map((piece) => ({ text: piece })),
    ...(call
      ? [{ functionCall: { id: call.id, name: call.name, args: call.input }, thoughtSignature: call.signature }]
      : []),
  ];
}

const google: TextVendorFormat = {
  slug: 'google',
  package: '@ai-sdk/google',
  model: 'gemini-2.5-flash',
  credential: 'google-secret',
  contentType: 'text/event-stream',
  stop: 'STOP',
  usage: {
    promptTokenCount: 100,
    cachedContentTokenCount: 40,
    candidatesTokenCount: 5,
    thoughtsTokenCount: 2,
    totalTokenCount: 107,
  },
  json: (turn) => googleChunk(googleParts(turn), { usageMetadata: turn.usage }, { finishReason: turn.finish }),
  events: (turn) => [
    ...googleParts(turn).map((part) => data(googleChunk([part], { usageMetadata: { promptTokenCount: 1 } }))),
    data(googleChunk([], { usageMetadata: turn.usage }, { finishReason: turn.finish })),
  ],
  errorEvent: data({ error: { code: 503, message: 'The model is overloaded', status: 'UNAVAILABLE' } }),
  errorBody: { error: { code: 400, message: 'Invalid value at contents', status: 'INVALID_ARGUMENT' } },
};

const mistralMessage = ({ reasoning, text = [], call }: VendorTurn): object => ({
  role: 'assistant',
  content: reasoning
    ? [
        { type: 'thinking', thinking: [{ type: 'text', text: reasoning.text }] },
        { type: 'text', text: text.join('') },
      ]
    : text.join(''),
  tool_calls: call && [
    { id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } },
  ],
});

const mistral: TextVendorFormat = {
  slug: 'mistral',
  package: '@ai-sdk/mistral',
  model: 'magistral-medium-2509',
  credential: 'mistral-secret',
  contentType: 'text/event-stream',
  stop: 'stop',
  usage: { prompt_tokens: 100, completion_tokens: 7, total_tokens: 107, num_cached_tokens: 40 },
  json: (turn) => ({
    id: 'cmpl_1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: mistralMessage(turn), finish_reason: turn.finish }],
    usage: turn.usage,
  }),
  events: (turn) => {
    const chunk = (delta: object, rest: object = {}, finish: string | null = null): Buffer =>
      data({ id: 'cmpl_1', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...rest });
    const { reasoning, text = [], call } = turn;
    return [
      chunk({ role: 'assistant', content: '' }),
      ...(reasoning
        ? [chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: reasoning.text }] }] })]
        : []),
      ...text.map((piece) => chunk({ content: piece })),
      ...(call ? [chunk({ tool_calls: (mistralMessage(turn) as { tool_calls: object[] }).tool_calls })] : []),
      chunk({ content: '' }, { usage: turn.usage }, turn.finish),
      Buffer.from('data: [DONE]\n\n'),
    ];
  },
  errorEvent: data({ object: 'error', message: 'Service unavailable', type: 'unavailable', code: '3700' }),
  errorBody: { object: 'error', message: 'Bad role', type: 'invalid_request_error', param: null, code: null },
};

const cohere: TextVendorFormat = {
  slug: 'cohere',
  package: '@ai-sdk/cohere',
  model: 'command-a-reasoning-08-2025',
  credential: 'cohere-secret',
  contentType: 'text/event-stream',
  stop: 'COMPLETE',
  usage: { tokens: { input_tokens: 140, output_tokens: 9 }, billed_units: { input_tokens: 100, output_tokens: 7 } },
  json: ({ reasoning, text, call, finish, usage }) => ({
    generation_id: 'gen_1',
    message: {
      role: 'assistant',
      content: [
        ...(reasoning ? [{ type: 'thinking', thinking: reasoning.text }] : []),
        ...(text ? [{ type: 'text', text: text.join('') }] : []),
      ],
      tool_calls: call && [
        { id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } },
      ],
    },
    finish_reason: finish,
    usage,
  }),
  events: ({ reasoning, text, call, finish, usage }) => {
    const events: object[] = [{ type: 'message-start', id: 'gen_1' }];
    let index = 0;
    const content = (type: 'thinking' | 'text', pieces: readonly string[]): void => {
      events.push({ type: 'content-start', index, delta: { message: { content: { type, [type]: '' } } } });
      for (const piece of pieces)
        events.push({ type: 'content-delta', index, delta: { message: { content: { [type]: piece } } } });
      events.push({ type: 'content-end', index: index++ });
    };
    if (reasoning) content('thinking', [reasoning.text]);
    if (text) content('text', text);
    if (call) {
      const start = { id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
      const rest = { function: { arguments: JSON.stringify(call.input) } };
      events.push(
        { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: start } } },
        { type: 'tool-call-delta', index: 0, delta: { message: { tool_calls: rest } } },
        { type: 'tool-call-end', index: 0 },
      );
    }
    return [...events, { type: 'message-end', delta: { finish_reason: finish, usage } }].map(data);
  },
  errorEvent: data({ type: 'nonsense-that-breaks', delta: 1 }),
  errorBody: { message: 'invalid request: temperature' },
};

export const TEXT_VENDORS = { anthropic, google, bedrock, mistral, cohere } as const;

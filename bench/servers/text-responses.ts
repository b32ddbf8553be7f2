/** The responses of text vendors, keyed by the name that the text of a request contains, such as `bench-chat-20`. */
import { json, piece } from './http-bytes.ts';

const CHAT_HEAD = {
  id: 'chatcmpl-CbT0v3kqXw1nTQm5yWg2h8rJd4zKf',
  created: 1_790_000_000,
  model: 'gpt-4o-mini-2024-07-18',
  service_tier: 'default',
  system_fingerprint: 'fp_560af6e559',
};
const chatUsage = (completion: number): object => ({
  prompt_tokens: 42,
  completion_tokens: completion,
  total_tokens: 42 + completion,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
});
const TEXT = ' The keeper does.'.repeat(40);
const CHAT_JSON = json({
  ...CHAT_HEAD,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: TEXT, refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: chatUsage(160),
});

/** A stream of `/chat/completions`: the role, one chunk for each word, the finish reason, the usage. */
function chatStream(deltas: number): readonly Buffer[] {
  const chunk = (choices: readonly object[], rest: object): Buffer => {
    const { id, ...head } = CHAT_HEAD;
    const object = 'chat.completion.chunk';
    return piece(`data: ${JSON.stringify({ id, object, ...head, choices, ...rest })}\n\n`);
  };
  const choice = (delta: object, finish: string | null = null): Buffer =>
    chunk([{ index: 0, delta, logprobs: null, finish_reason: finish }], { usage: null, obfuscation: 'k3Xv90bTq' });
  return [
    choice({ role: 'assistant', content: '', refusal: null }),
    ...Array.from({ length: deltas }, (_, index) => choice({ content: index % 7 === 6 ? ' night,' : ' lighthouse' })),
    choice({}, 'stop'),
    chunk([], { usage: chatUsage(deltas), obfuscation: 'f81' }),
    piece('data: [DONE]\n\n'),
  ];
}

const RESPONSES_HEAD = {
  id: 'resp_68c1a2b3d4e5f6a7b8c9d0e1f2a3b4c5',
  object: 'response',
  created_at: 1_790_000_000,
  error: null,
  incomplete_details: null,
  instructions: null,
  model: 'gpt-4o-mini-2024-07-18',
  parallel_tool_calls: true,
  service_tier: 'default',
  store: false,
  tool_choice: 'auto',
  tools: [],
  metadata: {},
};
const RESPONSES_USAGE = {
  input_tokens: 42,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 62,
};

const RESPONSES_JSON = json({
  ...RESPONSES_HEAD,
  status: 'completed',
  output: [
    {
      id: 'msg_68c1a2b3d4e5f6a7',
      type: 'message',
      status: 'completed',
      content: [{ type: 'output_text', annotations: [], logprobs: [], text: TEXT }],
      role: 'assistant',
    },
  ],
  usage: { ...RESPONSES_USAGE, output_tokens: 160, total_tokens: 202 },
});

/** A stream of `/responses`: the start, one message with one event for each word, the usage. */
function responsesStream(deltas: number): readonly Buffer[] {
  let sequence = 0;
  const event = (type: string, rest: object): Buffer =>
    piece(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...rest })}\n\n`);
  const place = { item_id: 'msg_68c1a2b3d4e5f6a7', output_index: 0, content_index: 0 };
  const words = Array.from({ length: deltas }, (_, index) => (index % 7 === 6 ? ' night,' : ' lighthouse'));
  const part = (text: string): object => ({ type: 'output_text', annotations: [], logprobs: [], text });
  const item = (status: string, content: readonly object[]): object => ({
    output_index: 0,
    item: { id: place.item_id, type: 'message', status, content, role: 'assistant' },
  });
  const response = (status: string, output: readonly unknown[], usage: object | null): object => ({
    response: { ...RESPONSES_HEAD, status, output, usage },
  });
  const text = words.join('');
  const done = item('completed', [part(text)]);
  return [
    event('response.created', response('in_progress', [], null)),
    event('response.in_progress', response('in_progress', [], null)),
    event('response.output_item.added', item('in_progress', [])),
    event('response.content_part.added', { ...place, part: part('') }),
    ...words.map((delta) =>
      event('response.output_text.delta', { ...place, delta, logprobs: [], obfuscation: 'k3Xv90bTq' }),
    ),
    event('response.output_text.done', { ...place, text, logprobs: [] }),
    event('response.content_part.done', { ...place, part: part(text) }),
    event('response.output_item.done', done),
    event('response.completed', response('completed', [(done as { item: object }).item], RESPONSES_USAGE)),
  ];
}

const MESSAGES_JSON = json({
  id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [{ type: 'text', text: TEXT }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 42, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 160 },
});

/** A stream of `/messages`: one block with one event for each word, the usage. */
function messagesStream(deltas: number): readonly Buffer[] {
  const event = (type: string, rest = {}): Buffer =>
    piece(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
  const usage = { input_tokens: 42, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };
  const message = { id: 'msg_01XFDUDYJgAACzvnptvVoYEL', type: 'message', role: 'assistant', content: [], usage };
  return [
    event('message_start', { message: { ...message, model: 'claude-sonnet-4-5-20250929', stop_reason: null } }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    ...Array.from({ length: deltas }, () =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: ' lighthouse' } }),
    ),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: deltas } }),
    event('message_stop'),
  ];
}

export const TEXT_STREAMS: Readonly<Record<string, readonly Buffer[]>> = {
  'bench-chat-20': chatStream(20),
  'bench-chat-300': chatStream(300),
  'bench-responses-20': responsesStream(20),
  'bench-responses-300': responsesStream(300),
  'bench-messages-20': messagesStream(20),
  'bench-messages-300': messagesStream(300),
};

export const TEXTS: Readonly<Record<string, Buffer>> = {
  'bench-chat-json': CHAT_JSON,
  'bench-responses-json': RESPONSES_JSON,
  'bench-messages-json': MESSAGES_JSON,
};

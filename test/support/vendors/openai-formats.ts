import { generateKeyPairSync } from 'node:crypto';
import { TEXT_VENDORS, type TextVendorFormat, type VendorTurn } from './text-vendor-formats.js';

const data = (event: object): Buffer => Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
const DETAILED = {
  prompt_tokens: 100,
  completion_tokens: 7,
  total_tokens: 107,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 2 },
};

const toolCalls = ({ call }: VendorTurn): object[] | undefined =>
  call && [{ id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } }];

/** Chat of Azure, with a first chunk without choices, and with results of a content filter. */
const azure: TextVendorFormat = {
  slug: 'azure',
  package: '@ai-sdk/azure',
  model: 'my-deployment',
  credential: JSON.stringify({ resourceName: 'my-resource', apiKey: 'azure-secret-value' }),
  contentType: 'text/event-stream',
  stop: 'stop',
  usage: DETAILED,
  json: (turn) => ({
    id: 'chatcmpl_1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    prompt_filter_results: [],
    choices: [
      {
        index: 0,
        content_filter_results: {},
        message: { role: 'assistant', content: turn.text?.join('') ?? null, tool_calls: toolCalls(turn) },
        finish_reason: turn.finish,
      },
    ],
    usage: turn.usage,
  }),
  events: (turn) => {
    const head = { id: 'chatcmpl_1', object: 'chat.completion.chunk', created: 1, model: 'm' };
    const chunk = (delta: object, finish: string | null = null): Buffer =>
      data({ ...head, choices: [{ index: 0, delta, finish_reason: finish, content_filter_results: {} }], usage: null });
    return [
      data({ ...head, choices: [], prompt_filter_results: [] }),
      chunk({ role: 'assistant', content: '' }),
      ...(turn.text ?? []).map((content) => chunk({ content })),
      ...(turn.call ? [chunk({ tool_calls: toolCalls(turn)!.map((call) => ({ index: 0, ...call })) })] : []),
      chunk({}, turn.finish),
      data({ ...head, choices: [], usage: turn.usage }),
      Buffer.from('data: [DONE]\n\n'),
    ];
  },
  errorEvent: data({ error: { message: 'The server is overloaded', type: 'server_error', code: 503 } }),
  errorBody: { error: { message: 'Bad temperature', type: 'invalid_request_error', param: 'temperature', code: null } },
};

const output = ({ reasoning, text, call }: VendorTurn): object[] => [
  ...(reasoning
    ? [
        {
          type: 'reasoning',
          id: 'rs_1',
          status: 'completed',
          summary: [{ type: 'summary_text', text: reasoning.text }],
          encrypted_content: reasoning.signature,
        },
      ]
    : []),
  ...(text
    ? [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: text.join(''), annotations: [] }],
        },
      ]
    : []),
  ...(call
    ? [
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: call.id,
          name: call.name,
          arguments: JSON.stringify(call.input),
          status: 'completed',
        },
      ]
    : []),
];

const responseOf = (turn: VendorTurn, more: object = {}): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  output: output(turn),
  status: turn.finish,
  usage: turn.usage,
  ...more,
});

/** Responses of xAI. */
const xai: TextVendorFormat = {
  slug: 'xai',
  package: '@ai-sdk/xai',
  model: 'grok-4',
  credential: 'xai-secret',
  contentType: 'text/event-stream',
  stop: 'completed',
  usage: {
    input_tokens: 100,
    output_tokens: 7,
    total_tokens: 107,
    input_tokens_details: { cached_tokens: 40 },
    output_tokens_details: { reasoning_tokens: 2 },
  },
  json: (turn) => responseOf(turn),
  events: (turn) => {
    const place = { output_index: 0, content_index: 0, summary_index: 0 };
    const delta = (type: string, id: string, text: string): object => ({ type, item_id: id, ...place, delta: text });
    return [
      { type: 'response.created', response: responseOf({ ...turn, text: [] }, { output: [], usage: undefined }) },
      ...output(turn).flatMap((item): object[] => {
        const { type } = item as { type: string };
        const deltas =
          type === 'message'
            ? turn.text!.map((piece) => delta('response.output_text.delta', 'msg_1', piece))
            : type === 'reasoning'
              ? [delta('response.reasoning_text.delta', 'rs_1', turn.reasoning!.text)]
              : [delta('response.function_call_arguments.delta', 'fc_1', JSON.stringify(turn.call!.input))];
        return [
          { type: 'response.output_item.added', item: { ...item, arguments: '', content: [] }, output_index: 0 },
          ...deltas,
          { type: 'response.output_item.done', item, output_index: 0 },
        ];
      }),
      { type: 'response.completed', response: responseOf(turn) },
    ].map(data);
  },
  errorEvent: data({ type: 'error', code: 'service_unavailable', message: 'The service is overloaded' }),
  errorBody: { code: 'invalid_argument', error: 'Bad temperature' },
};

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const account = JSON.stringify({
  project: 'my-project',
  location: 'europe-west1',
  clientEmail: 'robot@my-project.iam.gserviceaccount.com',
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
});

/** Every vendor that is called through its package. */
export const PACKAGE_VENDORS: Readonly<Record<string, TextVendorFormat>> = {
  ...TEXT_VENDORS,
  azure,
  xai,
  vertex: { ...TEXT_VENDORS.google, slug: 'google-vertex', package: '@ai-sdk/google-vertex', credential: account },
  'vertex-anthropic': {
    ...TEXT_VENDORS.anthropic,
    slug: 'google-vertex-anthropic',
    package: '@ai-sdk/google-vertex/anthropic',
    credential: account,
  },
};

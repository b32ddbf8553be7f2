import {
  newExchange,
  messagesOf,
  requestOf,
  run,
  shownCall,
  type Exchange,
  type PlaygroundCall,
  type ToolCall,
  withPiece,
} from './exchange';

const CALL: PlaygroundCall = {
  mode: 'chat',
  model: 'a/b',
  prompt: 'And now?',
  attachments: [],
  system: '',
  voice: 'alloy',
  parameters: {},
  before: [],
};
const eventStream = (...events: readonly string[]): Response =>
  new Response(events.map((event) => `data: ${event}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  });

describe('the messages of a playground call', () => {
  it('are the system text, the earlier exchanges that succeeded, and the prompt', () => {
    const before = [
      { ...newExchange('One'), text: 'First' },
      { ...newExchange('Two'), error: new Error('away') },
    ];
    expect(messagesOf({ ...CALL, system: 'Be brief', before })).toEqual([
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'First' },
      { role: 'user', content: 'And now?' },
    ]);
    expect(messagesOf(CALL)).toEqual([{ role: 'user', content: 'And now?' }]);
  });

  it('have pictures and files as parts, also in later calls, but no files that were not kept', () => {
    const picture = { kind: 'image', name: 'a.png', mediaType: 'image/png', bytes: 3, base64: 'AAAA' } as const;
    const text = { kind: 'file', name: 'a.md', mediaType: 'text/markdown', bytes: 3, base64: 'BBBB' } as const;
    const before = [
      { ...newExchange('See', [picture, { ...text, base64: null }]), text: 'Seen' },
      { ...newExchange('Lost', [{ ...picture, base64: null }]), text: 'Sorry' },
    ];
    expect(messagesOf({ ...CALL, prompt: '', attachments: [text], before })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      { role: 'assistant', content: 'Seen' },
      { role: 'user', content: 'Lost' },
      { role: 'assistant', content: 'Sorry' },
      {
        role: 'user',
        content: [{ type: 'file', file: { filename: 'a.md', file_data: 'data:text/markdown;base64,BBBB' } }],
      },
    ]);
  });
});

describe('the call for which the code is shown', () => {
  const before = [
    { ...newExchange('One'), text: 'First' },
    { ...newExchange('Two'), text: 'Second' },
  ];

  it('is the call that was sent last, with its conversation, if nothing is typed', () => {
    expect(messagesOf(shownCall({ ...CALL, prompt: '', before })).map(({ content }) => content)).toEqual([
      'One',
      'First',
      'Two',
    ]);
  });

  it('is the conversation with the prompt that is typed, or an example if there is no prompt yet', () => {
    expect(messagesOf(shownCall({ ...CALL, before }))).toHaveLength(5);
    expect(messagesOf(shownCall({ ...CALL, prompt: '' }))).toEqual([{ role: 'user', content: 'Hello' }]);
  });

  it('has no earlier conversation if it generates a picture', () => {
    expect(shownCall({ ...CALL, mode: 'image', before }).before).toEqual([]);
  });
});

describe('the request of a playground call', () => {
  it('goes to the route of its mode', () => {
    expect(requestOf({ ...CALL, mode: 'image' })).toEqual({
      path: '/images',
      json: { model: 'a/b', prompt: 'And now?' },
    });
    expect(requestOf({ ...CALL, mode: 'speech' })).toEqual({
      path: '/audio/speech',
      json: { model: 'a/b', voice: 'alloy', input: 'And now?', response_format: 'mp3' },
    });
    expect(requestOf(CALL)).toEqual({
      path: '/chat/completions',
      json: { model: 'a/b', stream: true, messages: messagesOf(CALL) },
    });
  });

  it('contains the parameters', () => {
    const { json } = requestOf({ ...CALL, parameters: { temperature: 0 } });
    expect(json).toMatchObject({ temperature: 0, stream: true });
  });
});

describe('a playground call', () => {
  const fetchOfNode = globalThis.fetch;
  afterEach(() => {
    globalThis.fetch = fetchOfNode;
  });

  /** The final result of a call, with one response per request. */
  async function resultOf(call: PlaygroundCall, ...responses: readonly Response[]): Promise<Partial<Exchange>> {
    const left = [...responses];
    globalThis.fetch = () => Promise.resolve(left.shift()!);
    let result: Partial<Exchange> = {};
    await run(call, (part) => (result = { ...result, ...part }), new AbortController().signal);
    return result;
  }

  it('joins the text and the reasoning of a stream, and reads the cost from its usage', async () => {
    const stream = eventStream(
      '{"id":"gen-1","choices":[{"delta":{"reasoning":"Hm"}}]}',
      '{"id":"gen-1","choices":[{"delta":{"content":"Hel"}}]}',
      '{"id":"gen-1","choices":[{"delta":{"content":"lo"}}]}',
      '{"id":"gen-1","choices":[],"usage":{"cost":0.5,"total_tokens":7}}',
      '[DONE]',
    );
    expect(await resultOf(CALL, stream)).toEqual({
      text: 'Hello',
      reasoning: 'Hm',
      toolCalls: [],
      generationId: 'gen-1',
      cost: 0.5,
      ownPrice: null,
      tokens: 7,
    });
  });

  it('on an own credential has the price of the provider in addition to the charge of this service', async () => {
    const stream = eventStream(
      '{"provider":"OpenAI","choices":[{"delta":{"content":"Hi"}}]}',
      '{"provider":"OpenAI","choices":[],"usage":{"cost":0,"cost_details":{"upstream_inference_cost":0.05}}}',
    );
    expect(await resultOf(CALL, stream)).toMatchObject({ cost: 0, ownPrice: { total: 0.05, provider: 'OpenAI' } });
  });

  it('fails if the stream has an error', async () => {
    const stream = eventStream(
      '{"choices":[{"delta":{"content":"Hel"}}]}',
      '{"error":{"message":"The vendor is away"}}',
    );
    await expect(resultOf(CALL, stream)).rejects.toThrow('The vendor is away');
  });

  it('shows pictures in the type that the response names, else as PNG', async () => {
    const data = [{ b64_json: 'AAAA', media_type: 'image/webp' }, { b64_json: 'BBBB' }];
    const response = Response.json({ data, usage: { cost: 0 } }, { headers: { 'x-generation-id': 'gen-2' } });
    expect(await resultOf({ ...CALL, mode: 'image' }, response)).toEqual({
      images: ['data:image/webp;base64,AAAA', 'data:image/png;base64,BBBB'],
      cost: 0,
      ownPrice: null,
      tokens: null,
      generationId: 'gen-2',
    });
  });

  it('fails with the message of the API if it is refused', async () => {
    const refusal = Response.json({ error: { code: 402, message: 'No credits are left' } }, { status: 402 });
    await expect(resultOf(CALL, refusal)).rejects.toThrow('No credits are left');
  });
});

describe('the calls of tools', () => {
  it('are joined from their pieces, by index', () => {
    const pieces = [
      { index: 0, function: { name: 'clock', arguments: '' } },
      { index: 1, function: { name: 'map' } },
      { index: 0, function: { arguments: '{"zone":' } },
      { index: 0, function: { arguments: '"UTC"}' } },
    ];
    expect(pieces.reduce<ToolCall[]>(withPiece, [])).toEqual([
      { name: 'clock', arguments: '{"zone":"UTC"}' },
      { name: 'map', arguments: '' },
    ]);
  });
});

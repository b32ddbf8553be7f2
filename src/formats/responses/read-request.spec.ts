import { writeChatRequest } from '../chat/write-request.js';
import { conversionRefusal, readResponsesRequest } from './read-request.js';

const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const SOUND = 'UklGRg==';

describe('the reader of a request of /responses', () => {
  it('reads a text as input, and puts the instructions before the text', () => {
    expect(readResponsesRequest({ input: 'Hello', instructions: 'Be brief' }).messages).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'Be brief' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
    ]);
  });

  it('joins consecutive items of the assistant, and consecutive tool results', () => {
    const { messages } = readResponsesRequest({
      input: [
        { role: 'developer', content: 'Rules' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Weather?' }] },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'gAAA' },
        { role: 'assistant', content: [{ type: 'output_text', text: 'Let me look', annotations: [] }] },
        { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'weather', arguments: '{}' },
        { type: 'function_call', id: 'fc_2', call_id: 'b', name: 'time', arguments: '{"x":1}' },
        { type: 'function_call_output', call_id: 'b', output: 'noon' },
        { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'sun' }] },
        { role: 'assistant', content: 'Sunny' },
      ],
    });
    const format = 'openai-responses-v1';
    expect(messages).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'Rules' }] },
      { role: 'user', parts: [{ type: 'text', text: 'Weather?' }] },
      {
        role: 'assistant',
        parts: [
          {
            type: 'reasoning',
            details: [
              { type: 'reasoning.summary', summary: 'Hm', format },
              { type: 'reasoning.encrypted', data: 'gAAA', id: 'rs_1', format },
            ],
          },
          { type: 'text', text: 'Let me look' },
          { type: 'tool_call', id: 'a', name: 'weather', arguments: '{}' },
          { type: 'tool_call', id: 'b', name: 'time', arguments: '{"x":1}' },
        ],
      },
      {
        role: 'tool',
        results: [
          { callId: 'b', toolName: 'time', parts: [{ type: 'text', text: 'noon' }] },
          { callId: 'a', toolName: 'weather', parts: [{ type: 'text', text: 'sun' }] },
        ],
      },
      { role: 'assistant', parts: [{ type: 'text', text: 'Sunny' }] },
    ]);
  });

  it('reads pictures, sounds and files', () => {
    const content = [
      { type: 'input_image', image_url: PNG, detail: 'low' },
      { type: 'input_audio', input_audio: { data: SOUND, format: 'wav' } },
      { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${SOUND}` },
      { type: 'input_file', file_url: 'https://a.test/b.pdf' },
    ];
    expect(readResponsesRequest({ input: [{ role: 'user', content }] }).messages[0]).toEqual({
      role: 'user',
      parts: [
        { type: 'image', source: { base64: 'iVBORw0KGgo=', mediaType: 'image/png' }, detail: 'low' },
        { type: 'audio', source: { base64: SOUND, mediaType: 'audio/wav' } },
        { type: 'file', source: { base64: SOUND, mediaType: 'application/pdf' }, filename: 'a.pdf' },
        { type: 'file', source: { url: 'https://a.test/b.pdf' }, filename: undefined },
      ],
    });
  });

  it('reads tools, the format of the output, and settings', () => {
    const schema = { type: 'object', properties: {} };
    const tool = { type: 'function', name: 'f', description: 'd', parameters: schema, strict: true };
    expect(
      readResponsesRequest({
        input: 'x',
        tools: [tool, { type: 'function', name: 'g', parameters: null }],
        tool_choice: { type: 'function', name: 'f' },
        text: { format: { type: 'json_schema', name: 'n', schema, strict: true }, verbosity: 'low' },
        reasoning: { effort: 'low', summary: 'auto' },
        max_output_tokens: 50,
        temperature: 0.5,
        top_p: 0.9,
        n: 3,
      }),
    ).toMatchObject({
      tools: [
        { name: 'f', description: 'd', parameters: schema, strict: true },
        { name: 'g', parameters: { type: 'object' } },
      ],
      toolChoice: { toolName: 'f' },
      responseFormat: { type: 'json_schema', name: 'n', schema, strict: true },
      verbosity: 'low',
      reasoning: { effort: 'low', summary: 'auto', exclude: false },
      settings: { maxOutputTokens: 50, temperature: 0.5, topP: 0.9, n: undefined },
    });
  });

  it('reads top_logprobs as a request for logprobs too, because the chat format needs both', () => {
    const chatOf = (body: object): object => writeChatRequest(readResponsesRequest({ input: 'x', ...body }));
    expect(chatOf({ top_logprobs: 2 })).toMatchObject({ logprobs: true, top_logprobs: 2 });
    expect(chatOf({})).toMatchObject({ logprobs: undefined, top_logprobs: undefined });
  });

  it.each([
    [
      { input: [{ type: 'custom_tool_call', call_id: 'a' }] },
      'input[0]: the providers of this model take no items of type "custom_tool_call".',
    ],
    [{ input: ['x'] }, 'input[0]'],
    [
      { input: 'x', tools: [{ type: 'function', name: 'f' }, { type: 'local_shell' }] },
      'tools[1]: the providers of this model take no tools of type "local_shell".',
    ],
    [{ input: 'x', tools: [{ type: 'namespace', name: 'n', tools: [] }] }, '"namespace"'],
    [{ input: 'x', tools: [{ type: 'custom', name: 'apply_patch' }] }, '"custom"'],
    [{ input: 'x', tool_choice: { type: 'custom', name: 'n' } }, 'tool_choice'],
    [{ input: [] }, 'input must hold at least one item'],
    [{ input: [{ role: 'nobody', content: 'x' }] }, 'input[0].role'],
    [
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] },
      'input[0].content[0].image_url',
    ],
    [{ input: [{ role: 'system', content: [{ type: 'input_image', image_url: PNG }] }] }, 'input[0].content[0].type'],
    [{ input: [{ type: 'reasoning', summary: [], encrypted_content: 'reasoning_details.v1:!' }] }, 'encrypted_content'],
    [{ input: 'x', text: { format: { type: 'grammar' } } }, 'text.format.type'],
  ])('refuses %j, and names the member', (body, message) => {
    expect(() => readResponsesRequest(body)).toThrow(expect.objectContaining({ kind: 'invalid_request' }));
    expect(() => readResponsesRequest(body)).toThrow(message);
  });

  it('accepts a request that it can convert', () => {
    expect(
      conversionRefusal({ input: [{ role: 'user', content: 'x' }], tools: [{ type: 'function' }] }),
    ).toBeUndefined();
  });
});

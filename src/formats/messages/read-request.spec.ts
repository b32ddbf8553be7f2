import { GatewayError } from '../../kernel/errors/errors.js';
import { readConversation } from './read-request.js';

const HELLO = { role: 'user', content: 'Hello' };
const EPHEMERAL = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const CACHED = { cacheControl: { ttl: '1h' } };
const PDF = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };

/** The canonical form of the members other than the messages. */
const settingsOf = (members: object): object => {
  const { messages: _, ...rest } = readConversation({ messages: [HELLO], ...members });
  return rest;
};
/** The canonical form of messages. */
const read = (...messages: readonly object[]): readonly object[] => readConversation({ messages }).messages;

describe('the reader of a request of /messages', () => {
  it('reads the sampling settings of the format', () => {
    expect(
      settingsOf({ max_tokens: 5, temperature: 0.5, top_p: 0.9, top_k: 3, stop_sequences: ['x'], x_unknown: 1 }),
    ).toMatchObject({ settings: { maxOutputTokens: 5, temperature: 0.5, topP: 0.9, topK: 3, stop: ['x'] }, tools: [] });
  });

  it.each<[object, object | undefined]>([
    [{}, undefined],
    [{ thinking: { type: 'enabled', budget_tokens: 2_048 } }, { maxTokens: 2_048, exclude: false }],
    [{ thinking: { type: 'adaptive' } }, { effort: 'medium', exclude: false }],
    [
      { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
      { effort: 'max', exclude: false },
    ],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, { effort: 'medium', exclude: true }],
    [
      { thinking: { type: 'disabled' }, output_config: { effort: 'max' } },
      { effort: 'none', exclude: false },
    ],
    [{ output_config: { effort: 'low' } }, { effort: 'low', exclude: false }],
  ])('reads the reasoning of %j as %j', (members, reasoning) => {
    expect(settingsOf(members)).toMatchObject({ reasoning });
  });

  it.each<[object, object]>([
    [{ tool_choice: { type: 'auto' } }, { toolChoice: 'auto', parallelToolCalls: undefined }],
    [{ tool_choice: { type: 'any' } }, { toolChoice: 'required' }],
    [{ tool_choice: { type: 'none' } }, { toolChoice: 'none' }],
    [{ tool_choice: { type: 'tool', name: 'f' } }, { toolChoice: { toolName: 'f' } }],
    [{ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }, { parallelToolCalls: false }],
    [
      { tools: [{ name: 'f', description: 'D', input_schema: { type: 'object' }, ...EPHEMERAL }] },
      { tools: [{ name: 'f', description: 'D', parameters: { type: 'object' }, ...CACHED }] },
    ],
    [{ tools: [{ type: 'custom', name: 'f', input_schema: {} }] }, { tools: [{ name: 'f', parameters: {} }] }],
    [
      { output_config: { format: { type: 'json_schema', schema: { a: 1 } } } },
      { responseFormat: { type: 'json_schema', schema: { a: 1 } } },
    ],
    [{ output_format: { type: 'json_schema', schema: {} } }, { responseFormat: { type: 'json_schema' } }],
    [{ service_tier: 'standard_only' }, { serviceTier: 'default' }],
    [{ ...EPHEMERAL }, { cacheControl: { ttl: '1h' } }],
    [{ context_management: { edits: [] }, metadata: { user_id: 'u' }, mcp_servers: [] }, {}],
  ])('reads %j as %j', (members, expected) => {
    expect(settingsOf(members)).toMatchObject(expected);
  });

  it('keeps system texts in their place', () => {
    const { messages } = readConversation({
      system: [{ type: 'text', text: 'a', ...EPHEMERAL }],
      messages: [HELLO, { role: 'system', content: 'b' }, HELLO],
    });
    const user = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };
    expect(messages).toEqual([
      { role: 'system', parts: [{ type: 'text', text: 'a', ...CACHED }] },
      user,
      { role: 'system', parts: [{ type: 'text', text: 'b' }] },
      user,
    ]);
    expect(readConversation({ system: 's', messages: [HELLO] }).messages[0]).toMatchObject({ role: 'system' });
  });

  it('converts tool results to separate messages, with the names of the tools', () => {
    const call = { type: 'tool_use', id: 't1', name: 'f', input: { a: [1] } };
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/PNG', data: 'AAAA' } };
    const messages = read(
      { role: 'assistant', content: [{ type: 'text', text: 'a' }, call] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'done', is_error: true, ...EPHEMERAL },
          { type: 'tool_result', tool_use_id: 't2', content: [{ type: 'text', text: 'b' }, image] },
          { type: 'tool_result', tool_use_id: 't3' },
          { type: 'text', text: 'and' },
        ],
      },
    );
    const picture = { type: 'image', source: { base64: 'AAAA', mediaType: 'image/png' } };
    expect(messages).toEqual([
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'a' },
          { type: 'tool_call', id: 't1', name: 'f', arguments: '{"a":[1]}' },
        ],
      },
      {
        role: 'tool',
        results: [
          { callId: 't1', toolName: 'f', isError: true, parts: [{ type: 'text', text: 'done' }], ...CACHED },
          { callId: 't2', parts: [{ type: 'text', text: 'b' }, picture] },
          { callId: 't3', parts: [] },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'and' }] },
    ]);
  });

  it.each<[string, object, readonly object[]]>([
    [
      'a picture by URL',
      { type: 'image', source: { type: 'url', url: 'https://x.example/a.png' } },
      [{ type: 'image', source: { url: 'https://x.example/a.png' } }],
    ],
    [
      'a document',
      { type: 'document', source: PDF, title: 'T', context: 'C', ...EPHEMERAL },
      [
        { type: 'text', text: 'C' },
        { type: 'file', source: { base64: 'JVBERi0=', mediaType: 'application/pdf' }, filename: 'T', ...CACHED },
      ],
    ],
    [
      'a document of text',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'D' }, title: 'T' },
      [
        { type: 'text', text: 'T' },
        { type: 'text', text: 'D' },
      ],
    ],
    [
      'a document of blocks',
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'D' }] } },
      [{ type: 'text', text: 'D' }],
    ],
    [
      'a search result',
      { type: 'search_result', title: 'T', source: 'S', content: [{ type: 'text', text: 'D' }] },
      [{ type: 'text', text: 'T\nS\nD' }],
    ],
  ])('converts %s', (_, block, parts) => {
    expect(read({ role: 'user', content: [block] })).toEqual([{ role: 'user', parts }]);
  });

  it('joins consecutive thinking blocks and their signatures in one part, separate from later thinking', () => {
    const content = [
      { type: 'thinking', thinking: 'a', signature: 's' },
      { type: 'redacted_thinking', data: 'd' },
      { type: 'text', text: 'x' },
      { type: 'thinking', thinking: 'b', signature: '' },
    ];
    const format = 'anthropic-claude-v1';
    expect(read({ role: 'assistant', content })).toEqual([
      {
        role: 'assistant',
        parts: [
          {
            type: 'reasoning',
            details: [
              { type: 'reasoning.text', text: 'a', signature: 's', format, index: 0 },
              { type: 'reasoning.encrypted', data: 'd', format, index: 1 },
            ],
          },
          { type: 'text', text: 'x' },
          { type: 'reasoning', details: [{ type: 'reasoning.text', text: 'b', format: 'unknown', index: 2 }] },
        ],
      },
    ]);
  });

  it.each<[RegExp, object]>([
    [/messages\[0\]\.content\[0\]: blocks of type x_new cannot be sent/, { content: [{ type: 'x_new' }] }],
    [/blocks of type server_tool_use cannot be sent/, { role: 'assistant', content: [{ type: 'server_tool_use' }] }],
    [/blocks of type image with a source of type file/, { content: [{ type: 'image', source: { type: 'file' } }] }],
    [
      /content\[0\]\.source\.url must be an http/,
      { content: [{ type: 'image', source: { type: 'url', url: 'file:///x' } }] },
    ],
    [/content\[0\]\.text must be a string/, { content: [{ type: 'text' }] }],
    [/blocks of type image cannot be sent/, { role: 'system', content: [{ type: 'image' }] }],
    [/messages\[0\]\.role must be one of/, { role: 'tool', content: 'x' }],
  ])('refuses a message with the error %s', (message, fields) => {
    expect(() => read({ ...HELLO, ...fields })).toThrow(message);
  });

  it.each<[RegExp, object]>([
    [/tools\[0\]: tools of type web_search_20250305 cannot be sent/, { tools: [{ type: 'web_search_20250305' }] }],
    [/mcp_servers cannot be sent/, { mcp_servers: [{}] }],
    [/container cannot be sent/, { container: 'c' }],
    [/thinking\.budget_tokens/, { thinking: { type: 'enabled' } }],
    [/output_config\.format\.type must be one of json_schema/, { output_config: { format: { type: 'x' } } }],
  ])('refuses members with the error %s', (message, members) => {
    expect(() => settingsOf(members)).toThrow(message);
    expect(() => settingsOf(members)).toThrow(GatewayError);
  });
});

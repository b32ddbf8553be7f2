import { GatewayError } from '../../kernel/errors/errors.js';
import type { Conversation, Message } from '../conversation.js';
import { readConversation } from './read-request.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const user = { role: 'user', content: 'Hi' };
const read = (body: object): Conversation => readConversation({ messages: [user], ...body });
const messageOf = (message: object): Message => readConversation({ messages: [message] }).messages[0]!;
const partsOf = (content: unknown): unknown => (messageOf({ role: 'user', content }) as { parts: unknown }).parts;

describe('the reader of a chat request', () => {
  it('reads every setting by its own name', () => {
    const settings = {
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      min_p: 0.1,
      top_a: 0.2,
      frequency_penalty: -2,
      presence_penalty: 2,
      repetition_penalty: 1.1,
      seed: -7,
      stop: 'end',
      logit_bias: { '50256': -100 },
      logprobs: true,
      top_logprobs: 20,
      n: 2,
      max_tokens: 9,
    };
    expect(read(settings).settings).toEqual({
      temperature: 0,
      topP: 0.5,
      topK: 3,
      minP: 0.1,
      topA: 0.2,
      frequencyPenalty: -2,
      presencePenalty: 2,
      repetitionPenalty: 1.1,
      seed: -7,
      stop: ['end'],
      logitBias: { '50256': -100 },
      logprobs: true,
      topLogprobs: 20,
      n: 2,
      maxOutputTokens: 9,
    });
  });

  it('prefers max_completion_tokens, treats null as absent and ignores unknown members', () => {
    const body = { max_tokens: 9, max_completion_tokens: 5, temperature: null, tools: null, whatever: { a: 1 } };
    expect(read(body).settings).toEqual({ maxOutputTokens: 5 });
    expect(read(body).tools).toEqual([]);
  });

  it('reads tools, the tool choice and the response format', () => {
    const schema = { type: 'object', properties: {} };
    expect(
      read({
        tools: [
          { type: 'function', function: { name: 'a' } },
          {
            type: 'function',
            function: { name: 'b', description: 'B', parameters: schema, strict: true },
            cache_control: { type: 'ephemeral', ttl: '1h' },
          },
        ],
        tool_choice: { type: 'function', function: { name: 'b' } },
        parallel_tool_calls: false,
        response_format: { type: 'json_schema', json_schema: { name: 'x', schema, strict: false } },
      }),
    ).toMatchObject({
      tools: [
        { name: 'a', parameters: { type: 'object', properties: {} } },
        { name: 'b', description: 'B', parameters: schema, strict: true, cacheControl: { ttl: '1h' } },
      ],
      toolChoice: { toolName: 'b' },
      parallelToolCalls: false,
      responseFormat: { type: 'json_schema', name: 'x', schema, strict: false },
    });
    expect(read({ tool_choice: 'required' }).toolChoice).toBe('required');
    expect(read({ response_format: { type: 'json_object' } }).responseFormat).toEqual({ type: 'json' });
    expect(read({ response_format: { type: 'text' } }).responseFormat).toEqual({ type: 'text' });
  });

  it('reads modalities, audio, caching, tier, verbosity and the cache key', () => {
    expect(
      read({
        modalities: ['text', 'audio', 'image'],
        audio: { voice: 'alloy', format: 'wav' },
        cache_control: { type: 'ephemeral' },
        service_tier: 'flex',
        verbosity: 'low',
        prompt_cache_key: 'k',
      }),
    ).toMatchObject({
      modalities: ['audio', 'image'],
      audioOutput: { voice: 'alloy', format: 'wav' },
      cacheControl: {},
      serviceTier: 'flex',
      verbosity: 'low',
      promptCacheKey: 'k',
    });
  });

  it('reads every kind of message part', () => {
    expect(
      partsOf([
        { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '5m' } },
        { type: 'text', text: 'b', prompt_cache_breakpoint: { mode: 'explicit' } },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}`, detail: 'low' } },
        { type: 'image_url', image_url: { url: `data:;base64,${PNG}` } },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
        { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
        { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain,a%20b' } },
      ]),
    ).toEqual([
      { type: 'text', text: 'a', cacheControl: { ttl: '5m' } },
      { type: 'text', text: 'b', cacheControl: {} },
      { type: 'image', source: { base64: PNG, mediaType: 'image/png' }, detail: 'low' },
      { type: 'image', source: { base64: PNG, mediaType: 'image/png' } },
      { type: 'image', source: { url: 'https://example.com/a.png' } },
      { type: 'audio', source: { base64: 'AAAA', mediaType: 'audio/mpeg' } },
      { type: 'video', source: { url: 'https://example.com/a.mp4' } },
      { type: 'file', source: { base64: 'YSBi', mediaType: 'text/plain' }, filename: 'a.txt' },
    ]);
  });

  it('reads the role developer as system, and finds the tool name of a result in the earlier call', () => {
    const { messages } = readConversation({
      messages: [
        { role: 'developer', content: 'Be brief' },
        user,
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: '1' }] },
        { role: 'tool', tool_call_id: 'c2', content: '2' },
      ],
    });
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
    expect(messages[3]).toEqual({
      role: 'tool',
      results: [{ callId: 'c1', toolName: 'f', parts: [{ type: 'text', text: '1' }] }],
    });
    expect(messages[4]).toEqual({ role: 'tool', results: [{ callId: 'c2', parts: [{ type: 'text', text: '2' }] }] });
  });

  it('reads reasoning from reasoning_details, otherwise from reasoning or reasoning_content', () => {
    const detail = { type: 'reasoning.text', text: 'x', signature: 's', format: 'anthropic-claude-v1', index: 0 };
    const assistant = (fields: object): unknown => messageOf({ role: 'assistant', content: 'Y', ...fields });
    const parts = (details: object[]): object => ({
      role: 'assistant',
      parts: [
        { type: 'reasoning', details },
        { type: 'text', text: 'Y' },
      ],
    });
    const serverTool = { type: 'reasoning.server_tool_call', tool_name: 'x' };
    expect(assistant({ reasoning: 'other', reasoning_details: [detail, serverTool] })).toEqual(parts([detail]));
    const plain = parts([{ type: 'reasoning.text', text: 'r', format: 'unknown' }]);
    expect(assistant({ reasoning: 'r' })).toEqual(plain);
    expect(assistant({ reasoning_content: 'r' })).toEqual(plain);
  });

  it.each([
    [{ messages: [] }, 'messages'],
    [{ messages: 'x' }, 'messages'],
    [{ messages: [{ role: 'function', content: 'x' }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user' }] }, 'messages[0].content'],
    [{ messages: [{ role: 'user', content: [{ type: 'hologram' }] }] }, 'messages[0].content[0].type'],
    [{ messages: [{ role: 'user', content: [{ type: '__proto__' }] }] }, 'messages[0].content[0].type'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'ftp://x' } }] }] },
      'messages[0].content[0].image_url.url',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,?' } }] }] },
      'messages[0].content[0].image_url.url',
    ],
    [
      {
        messages: [
          { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'http://x', format: 'wav' } }] },
        ],
      },
      'messages[0].content[0].input_audio.data',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }] },
      'messages[0].content[0].file.file_data',
    ],
    [{ messages: [{ role: 'assistant', tool_calls: [{ id: 1 }] }] }, 'messages[0].tool_calls[0]'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].tool_call_id'],
    [{ tools: [{ type: 'openrouter:web_search' }] }, 'tools[0].type'],
    [{ tool_choice: 'any' }, 'tool_choice'],
    [{ response_format: { type: 'grammar' } }, 'response_format.type'],
    [{ modalities: ['smell'] }, 'modalities[0]'],
    [{ cache_control: { type: 'ephemeral', ttl: '2h' } }, 'cache_control.ttl'],
    [{ stop: [1] }, 'stop[0]'],
    [{ temperature: 'hot' }, 'temperature'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ logit_bias: { a: 'b' } }, 'logit_bias.a'],
    [{ reasoning: { effort: 'high' }, reasoning_effort: 'low' }, 'reasoning_effort'],
    [{ reasoning: { effort: 'high', max_tokens: 5 } }, 'reasoning.max_tokens'],
    [{ reasoning: { enabled: false, max_tokens: 5 } }, 'reasoning.enabled'],
    [{ reasoning: { enabled: false, effort: 'low' } }, 'reasoning.enabled'],
    [{ reasoning: { enabled: true, effort: 'none' } }, 'reasoning.enabled'],
    [{ reasoning: { max_tokens: 0 } }, 'reasoning.max_tokens'],
  ])('refuses %j and names the member', (body, member) => {
    const refusal = (): unknown => read(body);
    expect(refusal).toThrow(GatewayError);
    expect(refusal).toThrow(
      expect.objectContaining({ kind: 'invalid_request', message: expect.stringContaining(member) }),
    );
  });

  it.each([
    [{}, undefined],
    [{ reasoning: {} }, undefined],
    [
      { reasoning: { effort: 'high' }, reasoning_effort: 'high' },
      { effort: 'high', exclude: false },
    ],
    [{ reasoning_effort: 'none' }, { effort: 'none', exclude: false }],
    [{ reasoning: { enabled: true } }, { effort: 'medium', exclude: false }],
    [{ reasoning: { enabled: false } }, { effort: 'none', exclude: false }],
    [{ reasoning: { enabled: true, max_tokens: 1 } }, { maxTokens: 1, exclude: false }],
    [{ include_reasoning: false }, { exclude: true }],
    [{ include_reasoning: true }, undefined],
    [
      { include_reasoning: false, reasoning: { exclude: false, summary: 'auto' } },
      { summary: 'auto', exclude: false },
    ],
  ])('reads the reasoning settings of %j', (body, settings) => {
    expect(read(body).reasoning).toEqual(settings);
  });
});

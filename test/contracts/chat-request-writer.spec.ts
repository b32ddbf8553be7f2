import { readConversation } from '../../src/formats/chat/read-request.js';
import { writeChatRequest } from '../../src/formats/chat/write-request.js';
import type {
  Conversation,
  MediaPart,
  Message,
  TextPart,
  ToolResult,
  UserPart,
} from '../../src/formats/conversation.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('writing a chat body', () => {
  const whole: Conversation = {
    messages: [
      { role: 'system', parts: [{ type: 'text', text: 'Be brief', cacheControl: { ttl: '1h' } }] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'a' },
          { type: 'image', source: { base64: PNG, mediaType: 'image/png' }, detail: 'low', cacheControl: {} },
          { type: 'audio', source: { base64: 'AAAA', mediaType: 'audio/mpeg' } },
          { type: 'video', source: { url: 'https://example.com/a.mp4' } },
          { type: 'file', source: { base64: 'YSBi', mediaType: 'text/plain' }, filename: 'a.txt' },
        ],
      },
      {
        role: 'assistant',
        parts: [
          {
            type: 'reasoning',
            details: [
              { type: 'reasoning.text', text: 'x', signature: 's', format: 'anthropic-claude-v1', index: 0 },
              { type: 'reasoning.encrypted', data: 'd', id: 'c1', format: 'google-gemini-v1', index: 1 },
            ],
          },
          { type: 'text', text: 'b' },
          { type: 'image', source: { url: 'https://example.com/a.png' } },
          { type: 'tool_call', id: 'c1', name: 'f', arguments: '{"a":1}' },
        ],
      },
      {
        role: 'tool',
        results: [{ callId: 'c1', toolName: 'f', parts: [{ type: 'text', text: '1' }], cacheControl: {} }],
      },
      { role: 'tool', results: [{ callId: 'c9', toolName: 'g', parts: [{ type: 'text', text: '2' }] }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Prefill' }] },
    ],
    tools: [{ name: 'f', description: 'F', parameters: { type: 'object' }, strict: true, cacheControl: {} }],
    toolChoice: { toolName: 'f' },
    parallelToolCalls: true,
    responseFormat: { type: 'json_schema', name: 'x', schema: { type: 'object' }, description: 'X', strict: true },
    reasoning: { maxTokens: 7, summary: 'auto', exclude: true },
    settings: { maxOutputTokens: 9, temperature: 1, topP: 1, stop: ['a', 'b'], n: 1, logitBias: { 1: 2 }, seed: 0 },
    modalities: ['image', 'audio'],
    audioOutput: { voice: 'alloy', format: 'mp3' },
    cacheControl: { ttl: '5m' },
    serviceTier: 'priority',
    verbosity: 'high',
    promptCacheKey: 'k',
  };

  it.each([
    ['with every member', whole],
    ['without optional members', { messages: [], tools: [], settings: {}, modalities: [] }],
  ])('keeps everything of a conversation %s', (_, conversation) => {
    const given = conversation.messages.length > 0 ? conversation : { ...conversation, messages: whole.messages };
    const written = JSON.parse(JSON.stringify(writeChatRequest(given))) as Record<string, unknown>;
    expect(readConversation(written)).toEqual(given);
  });

  const text = (value: string): TextPart => ({ type: 'text', text: value });
  const image: MediaPart = { type: 'image', source: { base64: PNG, mediaType: 'image/png' } };
  const file: MediaPart = { type: 'file', source: { base64: 'YSBi', mediaType: 'application/pdf' }, filename: 'a.pdf' };
  const calls = (...ids: string[]): Message => ({
    role: 'assistant',
    parts: ids.map((id) => ({ type: 'tool_call', id, name: 'f', arguments: '{}' })),
  });
  const result = (callId: string, ...parts: UserPart[]): ToolResult => ({ callId, toolName: 'f', parts });
  const messagesOf = (...messages: Message[]): unknown =>
    JSON.parse(JSON.stringify(writeChatRequest({ messages, tools: [], settings: {}, modalities: [] }).messages));

  it('sends the media of tool results in a user message after the last result', () => {
    const url = `data:image/png;base64,${PNG}`;
    expect(
      messagesOf(
        calls('c1', 'c2', 'c3'),
        { role: 'tool', results: [result('c1', text('1'), image), result('c2', text('2'))] },
        { role: 'tool', results: [result('c3', file)] },
        { role: 'user', parts: [text('Go on')] },
        calls('c4'),
        { role: 'tool', results: [result('c4', image)] },
      ),
    ).toEqual([
      expect.objectContaining({ role: 'assistant' }),
      { role: 'tool', tool_call_id: 'c1', content: '1' },
      { role: 'tool', tool_call_id: 'c2', content: '2' },
      { role: 'tool', tool_call_id: 'c3', content: '' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,YSBi' } },
        ],
      },
      { role: 'user', content: 'Go on' },
      expect.objectContaining({ role: 'assistant' }),
      { role: 'tool', tool_call_id: 'c4', content: '' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url } }] },
    ]);
  });

  it('sends a tool result without content as an empty text', () => {
    expect(messagesOf(calls('c1'), { role: 'tool', results: [result('c1')] })).toEqual([
      expect.objectContaining({ role: 'assistant' }),
      { role: 'tool', tool_call_id: 'c1', content: '' },
    ]);
  });
});

import { chatChunk, CHAT_USAGE, finishChunk, usageChunk } from '../../../test/support/vendors/scripted-chat-vendor.js';
import { relayed, TERMS, type Relayed } from '../../../test/support/calls/relayed-chat.js';

const text = (content: string): object => chatChunk({ content });
const role = chatChunk({ role: 'assistant', content: '' });
const end = [finishChunk('stop'), usageChunk(), '[DONE]'];
/** Relays one unusual chunk between the role and the end of a stream, and returns the relayed chunk. */
const normalised = (chunk: unknown): Relayed['chunks'][number] => {
  const { chunks, failure } = relayed([role, chunk, ...end]);
  expect(failure).toBeUndefined();
  return chunks[1]!;
};
const choiceOf = (choice: unknown): object => chatChunk(null, { choices: [choice] });

describe('chat chunk relay normalises what clients do not accept:', () => {
  it('usage, also usage: null, is removed from the chunks', () => {
    expect(normalised(chatChunk({ content: 'a' }, { usage: null }))).not.toHaveProperty('usage');
    expect(normalised(chatChunk({ content: 'a' }, { usage: CHAT_USAGE }))).not.toHaveProperty('usage');
  });
  it('system_fingerprint: null is removed from a chunk, a string is kept', () => {
    expect(normalised(chatChunk({ content: 'a' }, { system_fingerprint: null }))).not.toHaveProperty(
      'system_fingerprint',
    );
    expect(normalised(chatChunk({ content: 'a' }, { system_fingerprint: 'fp' })).system_fingerprint).toBe('fp');
  });
  it('an absent finish_reason becomes null', () => {
    expect(normalised(choiceOf({ index: 0, delta: { content: 'a' } })).choices[0]).toEqual({
      index: 0,
      delta: { content: 'a' },
      finish_reason: null,
      native_finish_reason: null,
    });
  });
  it.each([
    ['delta: null', choiceOf({ index: 0, delta: null })],
    ['choices absent', { id: 'x', object: 'chat.completion.chunk' }],
    ['choices: [] without usage', chatChunk(null, { choices: [], prompt_filter_results: [] })],
    ['an empty delta', choiceOf({ index: 0, delta: {} })],
    ['content: null', choiceOf({ index: 0, delta: { content: null } })],
    ['a second role', choiceOf({ index: 0, delta: { role: 'assistant' } })],
  ])('a chunk with %s is not relayed', (_, chunk) => {
    expect(normalised(chunk).choices[0].finish_reason).toBe('stop');
  });
  it.each(['', null, 'model'])('role %j is omitted, or replaced by assistant in the first chunk', (sent) => {
    expect(normalised(chatChunk({ role: sent, content: 'a' })).choices[0].delta).toEqual({ content: 'a' });
    expect(relayed([chatChunk({ role: sent, content: 'a' }), ...end]).chunks[0]!.choices[0].delta).toEqual({
      role: 'assistant',
      content: 'a',
    });
  });
  it('tool_calls: null is removed from the delta', () => {
    expect(normalised(chatChunk({ content: 'a', tool_calls: null })).choices[0].delta).toEqual({ content: 'a' });
  });
  it('a name, id or type that is null or empty is removed from later pieces of a tool call', () => {
    const call = (piece: object): object => chatChunk({ tool_calls: [{ index: 0, ...piece }] });
    const { chunks } = relayed([
      role,
      call({ id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }),
      call({ id: null, type: null, function: { name: null, arguments: '{"a"' } }),
      call({ id: '', type: '', function: { name: '', arguments: ':1}' } }),
      ...end,
    ]);
    expect(chunks.slice(1, 4).map(({ choices }) => choices[0].delta.tool_calls)).toEqual([
      [{ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }],
      [{ index: 0, function: { arguments: '{"a"' } }],
      [{ index: 0, function: { arguments: ':1}' } }],
    ]);
    expect(chunks.at(-1)!.choices[0]).toMatchObject({ finish_reason: 'tool_calls', native_finish_reason: 'stop' });
  });
  it('an absent tool_calls[].index is added by the order of appearance', () => {
    const call = (id: string | undefined, name?: string): object =>
      chatChunk({ tool_calls: [{ id, function: { name, arguments: 'x' } }] });
    const { chunks } = relayed([role, call('a', 'f'), call(undefined), call('b', 'g'), call('b'), call('a'), ...end]);
    const indexes = chunks.slice(1, 6).map(({ choices }) => choices[0].delta.tool_calls[0].index);
    expect(indexes).toEqual([0, 0, 1, 1, 0]);
  });
  it('a missing id and type of a tool call are added, and arguments that are an object become text', () => {
    const { chunks } = relayed([
      role,
      chatChunk({ tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] }),
      ...end,
    ]);
    expect(chunks[1]!.choices[0].delta.tool_calls).toEqual([
      { index: 0, id: `call_${TERMS.id}_0_0`, type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
    ]);
  });
  it.each([1_790_000_000.7, '1790000000'])('created %j becomes an integer', (created) => {
    expect(relayed([chatChunk({ content: 'a' }, { created }), ...end]).chunks[0]!.created).toBe(1_790_000_000);
  });
  it.each([null, 'now', -1, undefined])('created %j becomes the time of the gateway', (created) => {
    const events = [role, text('a'), finishChunk('stop')].map((event) => ({ ...event, created }));
    expect(relayed([...events, '[DONE]']).chunks[0]!.created).toBe(TERMS.created);
  });
  it('reasoning_content becomes reasoning and one entry of reasoning_details', () => {
    expect(normalised(chatChunk({ content: null, reasoning_content: 'hm' })).choices[0].delta).toEqual({
      reasoning: 'hm',
      reasoning_details: [{ type: 'reasoning.text', text: 'hm', format: 'unknown', index: 0 }],
    });
  });
  it('reasoning_details of a vendor are kept, without members that are null', () => {
    const detail = { type: 'reasoning.encrypted', data: 'x', id: null, format: 'openai-responses-v1', index: 0 };
    expect(normalised(chatChunk({ reasoning: 'a', reasoning_details: [detail] })).choices[0].delta).toEqual({
      reasoning: 'a',
      reasoning_details: [{ type: 'reasoning.encrypted', data: 'x', format: 'openai-responses-v1', index: 0 }],
    });
  });
  it.each([
    ['content', 7],
    ['content', {}],
    ['content', true],
    ['refusal', []],
    ['images', {}],
    ['annotations', 'x'],
    ['audio', []],
  ])('%s of a wrong type is omitted: %j', (name, value) => {
    expect(normalised(chatChunk({ reasoning: 'hm', [name]: value })).choices[0].delta).not.toHaveProperty(name);
  });

  it('content in parts becomes text and reasoning', () => {
    const parts = [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }, { type: 'text', text: 'a' }, 'b'];
    expect(normalised(chatChunk({ content: parts })).choices[0].delta).toMatchObject({
      content: 'ab',
      reasoning: 'hm',
    });
  });
  it('repeated citations become one list of annotations before the end of the stream', () => {
    const cited = {
      citations: ['https://a.example', 'https://b.example'],
      search_results: [{ url: 'https://a.example', title: 'A' }],
    };
    const { chunks } = relayed([chatChunk({ content: 'a' }, cited), chatChunk({ content: 'b' }, cited), ...end]);
    expect(
      chunks.at(-2)!.choices[0].delta.annotations.map((entry: { url_citation: object }) => entry.url_citation),
    ).toEqual([
      { url: 'https://a.example', title: 'A', start_index: 0, end_index: 0 },
      { url: 'https://b.example', title: 'https://b.example', start_index: 0, end_index: 0 },
    ]);
    expect(JSON.stringify(chunks)).not.toMatch(/citations|search_results/);
  });
  it('a message next to a delta is removed from the choice', () => {
    expect(
      normalised(choiceOf({ index: 0, delta: { content: 'a' }, message: { content: 'a' } })).choices[0],
    ).not.toHaveProperty('message');
  });
  it('an unknown member and logprobs are kept', () => {
    const chunk = normalised(chatChunk({ content: 'a' }, { timings: { ms: 1 } }));
    expect(chunk.timings).toEqual({ ms: 1 });
    expect(chunk.choices[0].logprobs).toBeNull();
  });
});

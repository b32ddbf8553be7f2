import { aConversation, deltasOf } from '../../../../test/support/vendors/scripted-text-vendor.js';
import type { Conversation, Message } from '../../../formats/conversation.js';
import type { ConversationCall } from '../../ports/text-adapter.port.js';
import { ElizaTextAdapter } from './eliza-text.adapter.js';

const say = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const aCall = (conversation: Partial<Conversation>, fields: Partial<ConversationCall> = {}): ConversationCall => ({
  provider: 'builtin',
  upstreamModel: 'eliza',
  credential: null,
  options: {},
  signal: new AbortController().signal,
  streamed: true,
  conversation: aConversation(conversation),
  ...fields,
});
const tools = [{ name: 'add', parameters: { type: 'object' } }];

describe('the adapter of the built-in conversation', () => {
  const adapter = new ElizaTextAdapter();

  it('returns the same words and usage whether streamed or not, with the usage only at the end', async () => {
    const messages = [say('I am unhappy about my work')];
    const response = await adapter.converse(aCall({ messages }));
    const first = await response.deltas.next();
    expect(first.value).toHaveLength(1);
    expect(response.usage()).toBeUndefined();
    const streamed = [...first.value!, ...(await deltasOf(response))];
    const whole = await adapter.converse(aCall({ messages }, { streamed: false }));
    expect(await deltasOf(whole)).toEqual(streamed);
    expect(streamed.length).toBeGreaterThan(4);
    expect(streamed.at(-1)).toEqual({ type: 'finish', reason: 'stop', native: 'stop' });
    const usage = response.usage() as Record<string, number>;
    expect(usage).toEqual(whole.usage());
    expect(usage.total_tokens).toBe(usage.prompt_tokens! + usage.completion_tokens!);
    expect(response.usageFormat).toBe('chat');
  });

  it('calls the tool that the message names, and repeats its result', async () => {
    const asked = say('/call add {"a":1}');
    expect(await deltasOf(await adapter.converse(aCall({ messages: [asked], tools })))).toEqual([
      { type: 'tool_call', index: 0, id: expect.any(String), name: 'add', arguments: '{"a":1}' },
      { type: 'finish', reason: 'tool_calls', native: 'tool_calls' },
    ]);
    const messages: Message[] = [
      asked,
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'add', arguments: '{"a":1}' }] },
      { role: 'tool', results: [{ callId: 'c', parts: [{ type: 'text', text: '42' }] }] },
    ];
    expect(await deltasOf(await adapter.converse(aCall({ messages, tools })))).toContainEqual({
      type: 'text',
      text: '42',
    });
  });

  it('calls no tool that the tool choice excludes', async () => {
    const messages = [say('/call add {}')];
    for (const toolChoice of ['none', { toolName: 'other' }] as const) {
      const deltas = await deltasOf(await adapter.converse(aCall({ messages, tools, toolChoice })));
      expect(deltas.at(-1)).toMatchObject({ reason: 'stop' });
    }
  });

  it('observes the maximum output and the response format', async () => {
    const messages = [say('Hello')];
    const cut = await deltasOf(await adapter.converse(aCall({ messages }, { maxOutputTokens: 1 })));
    expect(cut.at(-1)).toMatchObject({ reason: 'length' });
    const json = await deltasOf(await adapter.converse(aCall({ messages, responseFormat: { type: 'json' } })));
    const text = json.map((delta) => (delta.type === 'text' ? delta.text : '')).join('');
    expect(JSON.parse(text)).toEqual({ reply: expect.any(String) });
  });

  it('stops if the caller disconnects', async () => {
    const caller = new AbortController();
    const response = await adapter.converse(aCall({}, { signal: caller.signal }));
    await response.deltas.next();
    caller.abort(new Error('gone'));
    await expect(response.deltas.next()).rejects.toThrow('gone');
  });
});

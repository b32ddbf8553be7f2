import { GatewayError } from '../../kernel/errors/errors.js';
import {
  chatChunk,
  CHAT_TEXT,
  CHAT_USAGE,
  finishChunk,
  goodEvents,
  usageChunk,
} from '../../../test/support/vendors/scripted-chat-vendor.js';
import { relayed, TERMS } from '../../../test/support/calls/relayed-chat.js';

const text = (content: string): object => chatChunk({ content });
const role = chatChunk({ role: 'assistant', content: '' });
const end = [finishChunk('stop'), usageChunk(), '[DONE]'];
const choiceOf = (choice: unknown): object => chatChunk(null, { choices: [choice] });

describe('chat chunk relay', () => {
  it('sends the role, the deltas and one finish chunk, but neither usage nor [DONE]', () => {
    const { chunks, relay } = relayed(goodEvents());
    expect(chunks.map(({ choices }) => [choices[0].delta, choices[0].finish_reason])).toEqual([
      [{ role: 'assistant', content: '' }, null],
      ...CHAT_TEXT.map((content) => [{ content }, null]),
      [{}, 'stop'],
    ]);
    expect(relay).toMatchObject({
      usage: CHAT_USAGE,
      upstreamId: 'chatcmpl-1',
      finished: true,
      isDone: true,
      sawOutput: true,
      finishReason: 'stop',
      nativeFinishReason: 'stop',
      failure: undefined,
    });
    expect(relay.text()).toEqual([CHAT_TEXT.join('')]);
  });

  it('sets our id, model, provider and the same creation time in every chunk', () => {
    const { chunks } = relayed([
      role,
      text('a'),
      chatChunk({ content: 'b' }, { created: 1_790_000_009.5, id: 'x' }),
      ...end,
    ]);
    for (const chunk of chunks)
      expect(chunk).toMatchObject({
        id: TERMS.id,
        object: 'chat.completion.chunk',
        created: 1_790_000_000,
        model: TERMS.model,
        provider: TERMS.provider,
      });
  });

  it.each([
    ['the last chunk', [role, text('a'), finishChunk('stop'), usageChunk(), '[DONE]'], CHAT_USAGE],
    [
      'x_groq',
      [role, text('a'), { ...finishChunk('stop'), x_groq: { usage: { prompt_tokens: 3 } } }, '[DONE]'],
      { prompt_tokens: 3 },
    ],
    [
      'a member next to the last choice',
      [role, text('a'), { ...finishChunk('stop'), usage: CHAT_USAGE }, '[DONE]'],
      CHAT_USAGE,
    ],
    [
      'a member inside the last choice',
      [
        role,
        text('a'),
        chatChunk(null, { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: CHAT_USAGE }] }),
      ],
      CHAT_USAGE,
    ],
    [
      'the last of several chunks with usage',
      [1, 2, 3]
        .map((n) => chatChunk({ content: 'a' }, { usage: { completion_tokens: n } }))
        .concat(finishChunk('stop')),
      { completion_tokens: 3 },
    ],
    [
      'the last report that is not null',
      [role, usageChunk({ prompt_tokens: 1 }), usageChunk({ prompt_tokens: 0 }), text('a'), finishChunk('stop')],
      { prompt_tokens: 0 },
    ],
    ['no chunk if the vendor reports no usage', [role, text('a'), finishChunk('stop'), '[DONE]'], undefined],
  ])('reads the usage from %s', (_, events, usage) => {
    expect(relayed(events).relay.usage).toEqual(usage);
  });

  it('omits reasoning if the caller excludes it, and counts it', () => {
    const think = (reasoning_content: string): object => chatChunk({ reasoning_content });
    const { chunks, relay } = relayed([role, think('a'), think('b'), think('c'), text('d'), ...end], {
      excludesReasoning: true,
    });
    expect(chunks.map(({ choices }) => choices[0].delta.content)).toEqual(['', 'd', undefined]);
    expect(JSON.stringify(chunks)).not.toContain('reasoning');
    expect(relay.text()).toEqual(['abcd']);
  });

  it('sends one finish chunk for each choice, after all deltas', () => {
    const of = (index: number, content: string): object => choiceOf({ index, delta: { content }, finish_reason: null });
    const events = [
      of(0, 'a'),
      of(1, 'x'),
      finishChunk('length', 0),
      of(1, 'y'),
      of(0, 'late'),
      finishChunk('stop', 1),
      finishChunk('stop', 1),
      '[DONE]',
    ];
    const { chunks, relay } = relayed(events, { choices: 2 });
    expect(
      chunks.map(({ choices: [{ index, delta, finish_reason }] }) => [index, delta.content, finish_reason]),
    ).toEqual([
      [0, 'a', null],
      [1, 'x', null],
      [1, 'y', null],
      [0, 'late', null],
      [0, undefined, 'length'],
      [1, undefined, 'stop'],
    ]);
    expect(relay.finished).toBe(true);
  });

  it.each([
    ['an error object', { error: { message: 'no sk-abcdef0123456789', code: 500 } }],
    ['a text', { error: 'overloaded' }],
    ['an error next to choices', chatChunk({ content: 'a' }, { error: { message: 'x' } })],
    ['an error in a choice', choiceOf({ index: 0, error: { message: 'x' }, delta: {} })],
    ['object: error', { object: 'error', message: 'x', code: 400 }],
    ['type: error', { type: 'error', error: { type: 'overloaded_error' } }],
    ['code and message', { code: 'InvalidParameter', message: 'x' }],
    ['a detail', { detail: 'x' }],
  ])('relays the chunks before %s, and no later chunk', (_, error) => {
    const { chunks, failure, relay } = relayed([role, text('a'), error, text('b'), ...end]);
    expect(chunks.map(({ choices }) => choices[0].delta.content)).toEqual(['', 'a']);
    expect(failure).toBeInstanceOf(GatewayError);
    expect(relay.isDone).toBe(false);
  });

  it.each([
    ['the stream ends without a finish reason', [role, text('a')]],
    ['[DONE] is sent without a finish reason', [role, text('a'), '[DONE]']],
    ['one of two choices has no finish', [role, text('a'), finishChunk('stop', 1)]],
    ['the finish is an error', [role, text('a'), finishChunk('error')]],
    ['the finish is an unknown word', [role, text('a'), finishChunk('network_error')]],
    ['nothing is sent', []],
    ['only [DONE] is sent', ['[DONE]']],
    ['an event is no JSON', [role, '{"choices":']],
    ['an event is no object', [role, '[]']],
    ['an event is null', [role, 'null']],
    [
      'an event is nested too deeply to print',
      [role, `{"choices":[{"index":0,"delta":{"content":"a","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}}]}`],
    ],
    [
      'there are more than 1,024 choices',
      [chatChunk(null, { choices: Array.from({ length: 1_025 }, (_, index) => ({ index, delta: { content: 'a' } })) })],
    ],
  ])('fails if %s', (_, events) => {
    expect(relayed(events).failure).toMatchObject({ kind: 'provider_failed' });
  });

  it('treats an empty finish reason as absent, and maps unusual finish reasons', () => {
    const empty = choiceOf({ index: 0, delta: { content: 'a' }, finish_reason: '' });
    const { chunks } = relayed([empty, finishChunk('MAX_TOKENS'), '[DONE]']);
    expect(chunks.at(-1)!.choices[0]).toMatchObject({ finish_reason: 'length', native_finish_reason: 'MAX_TOKENS' });
  });

  it('accepts fewer choices than were requested if the vendor sends [DONE]', () => {
    expect(relayed([text('a'), finishChunk('stop'), '[DONE]'], { choices: 3 }).failure).toBeUndefined();
    expect(relayed([text('a'), finishChunk('stop')], { choices: 3 }).failure).toBeDefined();
  });
});

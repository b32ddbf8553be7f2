import { chatChunk, finishChunk, goodCompletion, usageChunk } from '../../support/vendors/scripted-chat-vendor.js';
import { startTextStage, streamedChunks, type TextStage } from '../../support/calls/text-stage.js';

let stage: TextStage;
beforeAll(async () => (stage = await startTextStage()));
afterAll(() => stage.stop());

type Vendor = keyof TextStage['vendors'];
const MEMBERS = [
  'reasoning',
  'reasoning_effort',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'include_reasoning',
];
const effort = (word: string): object => ({ reasoning: { effort: word } });

describe('the reasoning of a request', () => {
  it.each<[Vendor, object, object]>([
    // A vendor that supports an effort.
    ['openai', {}, {}],
    ...['none', 'minimal', 'low', 'medium', 'high', 'xhigh'].map(
      (word) => ['openai', effort(word), { reasoning_effort: word }] as [Vendor, object, object],
    ),
    ['openai', effort('max'), { reasoning_effort: 'xhigh' }],
    ['openai', { reasoning_effort: 'low' }, { reasoning_effort: 'low' }],
    ['openai', { reasoning_effort: 'low', reasoning: { effort: 'low' } }, { reasoning_effort: 'low' }],
    ['openai', { reasoning: { enabled: true } }, { reasoning_effort: 'medium' }],
    ['openai', { reasoning: { enabled: false } }, { reasoning_effort: 'none' }],
    ['openai', { reasoning: { exclude: true } }, {}],
    ['openai', { reasoning: { max_tokens: 900 }, max_tokens: 1_000 }, { reasoning_effort: 'high' }],
    ['openai', { reasoning: { max_tokens: 500 }, max_tokens: 1_000 }, { reasoning_effort: 'medium' }],
    ['openai', { include_reasoning: true }, {}],
    ['deepinfra', effort('minimal'), { reasoning_effort: 'low' }],
    ['deepinfra', effort('max'), { reasoning_effort: 'high' }],
    // A vendor that supports a budget, which is a share of the bound.
    ...([
      ['max', 950],
      ['xhigh', 950],
      ['high', 800],
      ['medium', 500],
      ['low', 200],
      ['minimal', 100],
    ].map(([word, budget]) => [
      'siliconflow',
      { ...effort(word as string), max_tokens: 1_000 },
      { enable_thinking: true, thinking_budget: budget },
    ]) as [Vendor, object, object][]),
    ['siliconflow', effort('none'), { enable_thinking: false }],
    ['siliconflow', { reasoning: { enabled: false } }, { enable_thinking: false }],
    ['siliconflow', { reasoning: { max_tokens: 77 } }, { enable_thinking: true, thinking_budget: 77 }],
    [
      'siliconflow',
      { reasoning: { enabled: true }, max_tokens: 1_000 },
      { enable_thinking: true, thinking_budget: 500 },
    ],
    ['siliconflow', { reasoning_effort: 'low', max_tokens: 10 }, { enable_thinking: true, thinking_budget: 2 }],
    ['siliconflow', { enable_thinking: false }, { enable_thinking: false }],
    // A vendor that supports the same members.
    ['openrouter', { reasoning: { effort: 'max', exclude: true } }, { reasoning: { effort: 'max', exclude: true } }],
  ])('is sent to the vendor %s: %j becomes %j', async (vendor, body, expected) => {
    const { status, text } = await stage.chat({ model: `rules/${vendor}`, ...body });
    if (status !== 200) throw new Error(text);
    const { json } = stage.vendors[vendor].seen.at(-1)!;
    expect(Object.fromEntries(MEMBERS.flatMap((name) => (name in json ? [[name, json[name]]] : [])))).toEqual(expected);
  });

  it.each<[object, object, number | undefined]>([
    [effort('high'), { type: 'enabled', budget_tokens: 1_600 }, 2_000],
    [{ reasoning: { max_tokens: 1_024 } }, { type: 'enabled', budget_tokens: 1_024 }, 2_000],
    [{ reasoning: { enabled: false } }, { type: 'disabled' }, 2_000],
  ])('is sent to a vendor through its package: %j becomes %j', async (body, thinking, max_tokens) => {
    stage.claude();
    expect((await stage.chat({ model: 'rules/anthropic', max_tokens, ...body })).status).toBe(200);
    const { json } = stage.anthropic.seen.at(-1)!;
    expect([json.thinking ?? { type: 'disabled' }, json.max_tokens]).toEqual([thinking, max_tokens]);
  });
});

const THOUGHT = { role: 'assistant', content: 'Hi', reasoning_content: 'Hm' };
const USAGE = {
  prompt_tokens: 1,
  completion_tokens: 9,
  total_tokens: 10,
  completion_tokens_details: { reasoning_tokens: 5 },
};
const completion = (): object => ({ ...(goodCompletion(THOUGHT) as object), usage: USAGE });
const events = (): object[] => [
  chatChunk({ role: 'assistant', content: '' }),
  chatChunk({ reasoning_content: 'H' }),
  chatChunk({ reasoning_content: 'm' }),
  chatChunk({ content: 'Hi' }),
  finishChunk('stop'),
  usageChunk(USAGE),
];

describe('the reasoning of a response', () => {
  it('is returned as text and as a detail', async () => {
    stage.vendors.openai.script({ body: completion() });
    const { json } = await stage.chat({});
    expect(json.choices[0].message).toMatchObject({
      content: 'Hi',
      reasoning: 'Hm',
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm', format: 'unknown', index: 0 }],
    });
  });

  it.each([[{ reasoning: { exclude: true } }], [{ include_reasoning: false }]])(
    'is used and billed, but not returned, with %j',
    async (body) => {
      stage.vendors.openai.script({ body: completion() }, { events: events() });
      const { json, text } = await stage.chat(body);
      expect([json.choices[0].message.content, text.includes('Hm')]).toEqual(['Hi', false]);
      expect(json.usage).toMatchObject({
        completion_tokens: 9,
        completion_tokens_details: { reasoning_tokens: 5 },
        cost: 0.000019,
      });
      const chunks = streamedChunks(await stage.chat({ ...body, stream: true }));
      expect(chunks.flatMap(({ choices }) => choices).some(({ delta }) => 'reasoning' in delta)).toBe(false);
      expect(chunks.at(-1).usage).toMatchObject({ completion_tokens: 9, cost: 0.000019 });

      const thinking = { text: 'Hm', signature: 's' };
      stage.claude({ reasoning: thinking });
      const converted = await stage.chat({ model: 'rules/anthropic', ...body });
      expect([converted.json.choices[0].message.content, converted.text.includes('Hm')]).toEqual(['Hi', false]);
      stage.claude({ reasoning: thinking }, true);
      const streamed = await stage.chat({ model: 'rules/anthropic', stream: true, ...body });
      expect(streamed.text).not.toContain('Hm');
    },
  );

  it('is sent back to a vendor that accepts it, and is omitted for other vendors', async () => {
    const details = [{ type: 'reasoning.text', text: 'Hm', format: 'unknown', index: 0 }];
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', reasoning: 'Hm', reasoning_details: details },
      { role: 'user', content: 'c' },
    ];
    await stage.chat({ messages });
    expect(stage.vendors.openai.seen.at(-1)!.json.messages[1]).toEqual({ role: 'assistant', content: 'b' });
    await stage.chat({ messages, model: 'rules/openrouter' });
    expect(stage.vendors.openrouter.seen.at(-1)!.json.messages).toEqual(messages);
  });
});

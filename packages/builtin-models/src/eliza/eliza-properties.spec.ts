import fc from 'fast-check';
import { converse, MAX_OUTPUT_TOKENS, type ElizaMessage, type ElizaRequest } from './eliza.ts';
import { elizaScript } from './script.ts';
import { ElizaSession } from './session.ts';

const keywords = [...elizaScript().keys()].filter((word) => !word.startsWith('$'));
const sentence = fc
  .array(fc.oneof(fc.constantFrom(...keywords), fc.constantFrom('i', 'you', 'my', 'a', ',', '?', 'so'), fc.string()))
  .map((words) => words.join(' '));
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
  sentence,
  fc.string().map((text) => `/call ${text}`),
);
const anyMessage: fc.Arbitrary<ElizaMessage> = fc.record(
  {
    role: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool'),
    text: anyText,
    toolCalls: fc.array(fc.record({ id: fc.string(), name: fc.string(), arguments: fc.string() }), { maxLength: 2 }),
  },
  { requiredKeys: ['role', 'text'] },
);
const anyRequest: fc.Arbitrary<ElizaRequest> = fc.record(
  {
    messages: fc.array(anyMessage, { maxLength: 12 }),
    tools: fc.array(fc.record({ name: fc.string() }), { maxLength: 3 }),
    maxOutputTokens: fc.oneof(fc.nat(50), fc.double(), fc.integer()),
    stop: fc.array(fc.string(), { maxLength: 5 }),
    responseFormat: fc.oneof(
      fc.constant({ type: 'text' as const }),
      fc.constant({ type: 'json_object' as const }),
      fc.record({ type: fc.constant('json_schema' as const), schema: fc.jsonValue() }),
    ),
  },
  { requiredKeys: ['messages'] },
);

const textOf = (request: ElizaRequest): string =>
  [...converse(request).deltas]
    .map((delta) => (delta.type === 'text' ? delta.text : delta.toolCall.arguments))
    .join('');

describe('for any request', () => {
  it('the reply is within the limits, is the same each time, and has the usage of its text', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const reply = converse(request);
        const deltas = [...reply.deltas];
        const bytes = Buffer.byteLength(
          deltas
            .map((delta) => (delta.type === 'text' ? delta.text : delta.toolCall.name + delta.toolCall.arguments))
            .join(''),
        );
        expect(reply.usage.completionTokens).toBe(Math.ceil(bytes / 4));
        expect(reply.usage.completionTokens).toBeLessThanOrEqual(MAX_OUTPUT_TOKENS);
        if (request.maxOutputTokens !== undefined && request.maxOutputTokens >= 0)
          expect(reply.usage.completionTokens).toBeLessThanOrEqual(request.maxOutputTokens);
        expect(deltas.some((delta) => delta.type === 'tool_call')).toBe(reply.finishReason === 'tool_calls');
        const again = converse(request);
        expect({ ...again, deltas: [...again.deltas] }).toEqual({ ...reply, deltas });
      }),
      { numRuns: 500 },
    );
  });

  it('the reply has words, and no lone surrogates, unfilled captures or double spaces', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 8 }), (texts) => {
        const messages = texts.filter((text) => !text.trim().startsWith('/call')).map((text) => user(text));
        const text = textOf({ messages });
        expect(text).toMatch(/\S/);
        expect(text).not.toMatch(/\p{Cs}|\(\d+\)|undefined| {2}/u);
        expect(text.length).toBeLessThan(2_000);
      }),
      { numRuns: 500 },
    );
  });

  it('the reply in a JSON format is one JSON value', () => {
    const formatted = fc.record({ messages: fc.array(anyMessage, { maxLength: 4 }), schema: fc.jsonValue() });
    fc.assert(
      fc.property(formatted, ({ messages, schema }) => {
        for (const responseFormat of [{ type: 'json_object' }, { type: 'json_schema', schema }] as const)
          expect(() => JSON.parse(textOf({ messages, responseFormat }))).not.toThrow();
      }),
    );
  });

  it('the replies to the first messages stay the same as the conversation grows', () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 10 }), (texts) => {
        const one = new ElizaSession();
        const replies = texts.map((text) => one.reply(text));
        const messages = texts.map((text) => user(text));
        texts.forEach((text, at) => {
          if (text.trim().startsWith('/call')) return;
          expect(textOf({ messages: messages.slice(0, at + 1) })).toBe(replies[at]);
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe('the number of comparisons for a reply', () => {
  const MAX_COMPARISONS_PER_CHARACTER = 40;
  const hostile = [
    ...['i am ', 'you are my ', 'because ', 'my mother is ', 'what if you ', 'a ', 'I want you to, '].map((unit) =>
      unit.repeat(400),
    ),
    `${keywords.join(' ')} `.repeat(2),
    keywords.map((word) => `i feel my ${word}`).join(', '),
  ];

  const comparisonsFor = (text: string): number => {
    const session = new ElizaSession();
    session.reply(text);
    return session.comparisons;
  };

  it.each(hostile.map((text) => [text.slice(0, 20), text]))('is linear in the characters of %s…', (_, text) => {
    for (const length of [100, 400, 1_600]) {
      const cut = text.slice(0, length);
      expect(comparisonsFor(cut)).toBeLessThan(MAX_COMPARISONS_PER_CHARACTER * cut.length);
    }
  });

  it('is linear for any text, and constant beyond the part of a message that is read', () => {
    fc.assert(
      fc.property(sentence, (text) => {
        expect(comparisonsFor(text)).toBeLessThanOrEqual(MAX_COMPARISONS_PER_CHARACTER * (text.length + 1));
      }),
      { numRuns: 500 },
    );
    const long = 'i am what i am, because '.repeat(2_000);
    expect(comparisonsFor(long)).toBe(comparisonsFor(long.slice(0, 2_000)));
  });
});

function user(text: string): ElizaMessage {
  return { role: 'user', text };
}

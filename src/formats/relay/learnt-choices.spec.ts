import fc from 'fast-check';
import { TERMS } from '../../../test/support/calls/relayed-chat.js';
import { completeChat } from '../chat/complete.js';
import { LearntChoices } from './learnt-choices.js';

/** The complete result for a response, or the message of its failure. */
function outcomeOf(body: Buffer, forms: LearntChoices, excludesReasoning = false): unknown {
  try {
    const { body: print, text, ...facts } = completeChat(body, { ...TERMS, excludesReasoning }, forms);
    return { ...facts, texts: text(), sent: JSON.parse(print({})) as unknown };
  } catch (error) {
    return (error as Error).message;
  }
}

const HEAD = { id: 'chatcmpl-1', object: 'chat.completion', created: 1_790_000_000, model: 'vendor-model' };
const responseOf = (content: unknown, message: object = {}, rest: object = {}): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...HEAD,
      choices: [
        { index: 0, message: { role: 'assistant', content, refusal: null, ...message }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      ...rest,
    }),
  );

/** Forms that were learnt from one response. */
function learntFrom(body: Buffer, excludesReasoning = false): LearntChoices {
  const forms = new LearntChoices();
  completeChat(body, { ...TERMS, excludesReasoning }, forms);
  return forms;
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('', '"', '\\', '\\"', '\n', 'é"\\'),
);

describe('the choices of a complete response', () => {
  it('are copied if only the content and the members next to the choices differ', () => {
    const forms = learntFrom(responseOf('first'));
    const copied = forms.copy(responseOf('a "b" \\ \n ü', {}, { id: 'chatcmpl-2', usage: null }), false);
    expect(JSON.parse(copied!.choices)).toEqual([
      {
        index: 0,
        finish_reason: 'stop',
        native_finish_reason: 'stop',
        message: { role: 'assistant', content: 'a "b" \\ \n ü' },
      },
    ]);
    expect(copied).toMatchObject({ finish: 'stop', native: 'stop' });
  });

  it.each([
    ['another finish reason', Buffer.from(responseOf('b').toString().replace('"stop"', '"length"'))],
    ['another member of the message', responseOf('b', { annotations: [] })],
    ['an empty content', responseOf('')],
    ['no content', responseOf(null)],
    ['two choices', Buffer.from(JSON.stringify({ choices: [{}, {}] }))],
  ])('are parsed if the response has %s', (_, body) => {
    expect(learntFrom(responseOf('first')).copy(body, false)).toBeUndefined();
  });

  it('have separate forms for callers that exclude reasoning and for other callers', () => {
    const forms = learntFrom(responseOf('first'), true);
    expect([forms.copy(responseOf('b'), false), forms.copy(responseOf('b'), true)]).toEqual([
      undefined,
      expect.anything(),
    ]);
  });

  it.each([
    ['tool calls, with ids that may be ours', { tool_calls: [{ function: { name: 'a', arguments: '{}' } }] }],
    ['texts next to the content', { reasoning: 'because' }],
    ['a form longer than the maximum', { note: 'x'.repeat(1_024) }],
  ])('are not learnt with %s', (_, message) => {
    expect(learntFrom(responseOf('a', message)).copy(responseOf('b', message), false)).toBeUndefined();
  });

  it('have the content of the message as their text, also if another member has the same value', () => {
    const noted = (content: string, note: string): Buffer =>
      Buffer.from(
        responseOf(content)
          .toString()
          .replace('"role"', `"note":{"content":${JSON.stringify(note)}},"role"`),
      );
    const forms = learntFrom(noted('same', 'same'));
    expect(outcomeOf(noted('same', 'other'), forms)).toMatchObject({ texts: ['same'] });
    expect(outcomeOf(noted('other', 'same'), forms)).toMatchObject({ texts: ['other'] });
  });

  it('are learnt only from a short response, and copied from a response of any length', () => {
    const long = responseOf('x'.repeat(16_384));
    expect(learntFrom(long).copy(responseOf('b'), false)).toBeUndefined();
    expect(learntFrom(responseOf('a')).copy(long, false)).toBeDefined();
  });

  it('are not learnt if the usage is inside a choice', () => {
    const body = (content: string): Buffer =>
      Buffer.from(
        JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop', usage: { prompt_tokens: 1 } }] }),
      );
    expect(learntFrom(body('a')).copy(body('b'), false)).toBeUndefined();
  });

  it('are still copied with a form that stays in use while 100 other forms are learnt', () => {
    const forms = learntFrom(responseOf('first'));
    for (let note = 0; note < 100; note++) {
      outcomeOf(responseOf('a', { note }), forms);
      expect(forms.copy(responseOf('b'), false)).toBeDefined();
    }
  });

  it('are rarely learnt after many forms without a match, until a form matches again', () => {
    const forms = new LearntChoices();
    const learns = (note: number): boolean => {
      outcomeOf(responseOf('a', { note }), forms);
      return forms.copy(responseOf('b', { note }), false) !== undefined;
    };
    for (let note = 0; note < 40; note++) outcomeOf(responseOf('a', { note }), forms);
    expect([learns(100), learns(31), learns(101)]).toEqual([false, true, true]);
  });

  it('are the same whether copied or parsed, for any response', () => {
    fc.assert(
      fc.property(
        anyText.filter((text) => text !== ''),
        anyText,
        fc.dictionary(fc.constantFrom('refusal', 'annotations', 'audio', 'x', 'reasoning'), fc.jsonValue()),
        fc.dictionary(
          fc.oneof(fc.string(), fc.constantFrom('choices', 'error', 'citations', 'created')),
          fc.jsonValue(),
        ),
        fc.boolean(),
        (first, second, message, rest, excludes) => {
          const forms = new LearntChoices();
          outcomeOf(responseOf(first, message), forms, excludes);
          const body = responseOf(second, message, rest);
          expect(outcomeOf(body, forms, excludes)).toEqual(outcomeOf(body, new LearntChoices(), excludes));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are the same whether copied or parsed, for any error in the bytes', () => {
    const NOISE = [
      '"',
      '\\',
      '}',
      ']',
      ',',
      '{"choices":',
      '"choices":"a",',
      '"ch\\u006fices":1,',
      '\x00',
      '\\u12',
      '1e999',
    ];
    fc.assert(
      fc.property(
        anyText.filter((text) => text !== ''),
        fc.array(fc.tuple(fc.nat(), fc.nat(9), fc.oneof(fc.constantFrom(...NOISE), fc.string())), { maxLength: 3 }),
        fc.uint8Array({ maxLength: 2 }),
        fc.boolean(),
        (content, cuts, bytes, isTruncated) => {
          const forms = learntFrom(responseOf('first'));
          let body = responseOf(content, {}, { x: [HEAD] });
          for (const [at, length, text] of cuts) {
            const from = at % body.length;
            body = Buffer.concat([body.subarray(0, from), Buffer.from(text), bytes, body.subarray(from + length)]);
          }
          if (isTruncated) body = body.subarray(0, body.length - 1);
          expect(outcomeOf(body, forms)).toEqual(outcomeOf(body, new LearntChoices()));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it.each([
    [
      'a second member named choices after the first',
      (body: string) => body.replace('"usage"', '"choices":"x","usage"'),
    ],
    ['an escaped second member named choices', (body: string) => body.replace('"usage"', '"ch\\u006fices":[],"usage"')],
    ['another member named choices at the beginning', (body: string) => body.replace('"id"', '"choices":[1],"id"')],
    ['an object around the response', (body: string) => `{"a":${body}}`],
    ['an object around the response and a text named choices', (body: string) => `{"a":${body},"choices":"x"}`],
    ['an error next to the choices', (body: string) => body.replace('"usage"', '"error":{"message":"no"},"usage"')],
    ['citations next to the choices', (body: string) => body.replace('"usage"', '"citations":["https://a.b"],"usage"')],
    [
      'nesting that cannot be printed',
      (body: string) => `${body.slice(0, -1)},"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
    ],
    ['a huge number', (body: string) => body.replace('"usage"', '"x":1e999,"usage"')],
    ['bytes that are not UTF-8', (body: string) => body.replace('second', 'sec\xff\xc3ond')],
  ])('are the same whether copied or parsed, with %s', (_, change) => {
    const body = Buffer.from(change(responseOf('second').toString('latin1')), 'latin1');
    expect(outcomeOf(body, learntFrom(responseOf('first')))).toEqual(outcomeOf(body, new LearntChoices()));
  });
});

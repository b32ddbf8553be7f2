import fc from 'fast-check';
import { EventLines } from '../../src/providers/wire/event-lines.js';
import { relayed, relayedBatches } from '../support/calls/relayed-chat.js';
import { chatChunk, CHAT_USAGE, eventBytes, finishChunk, usageChunk } from '../support/vendors/scripted-chat-vendor.js';

/** Any text, including characters that JSON escapes, and single surrogates. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', 'é', '😀', '\ud83d', '\udc00', '\u2028', 'a', ' ', '}', '{') }),
);
const anyDelta = fc.oneof(
  { weight: 6, arbitrary: anyText.map((content) => ({ content })) },
  { weight: 3, arbitrary: anyText.map((reasoning_content) => ({ reasoning_content })) },
  anyText.map((reasoning) => ({ reasoning, content: null })),
  anyText.map((text) => ({
    tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: text } }],
  })),
  fc.constantFrom({ role: 'assistant', content: '' }, {}, null, { content: null, tool_calls: null }),
);
const anyMore = fc.constantFrom(
  {},
  { obfuscation: 'aB3x' },
  { obfuscation: 'Zz' },
  { obfuscation: '' },
  { usage: CHAT_USAGE },
  { system_fingerprint: 'fp' },
  { created: 1_790_000_001 },
);
const anyChunk = fc
  .tuple(anyDelta, anyMore, fc.integer({ min: 0, max: 2 }))
  .map(([delta, more, index]) =>
    chatChunk(null, { choices: [{ index, delta, logprobs: null, finish_reason: null }], ...more }),
  );
const anyStream = fc
  .array(anyChunk, { maxLength: 40 })
  .map((chunks) => [...chunks, ...[0, 1, 2].map((index) => finishChunk('stop', index)), usageChunk(), '[DONE]']);

/** The same event, but no template matches it: each chunk has a different number of blanks after its opening brace. */
const unrepeated = (event: unknown, position: number): string =>
  typeof event === 'string' ? event : `{${' '.repeat(position)}${JSON.stringify(event).slice(1)}`;

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...at, bytes.length].map((cut, index) => bytes.subarray(at[index - 1] ?? 0, cut));
}

const throughLines = (pieces: readonly Buffer[]): ReturnType<typeof relayedBatches> => {
  const lines = new EventLines();
  return relayedBatches(pieces.map((piece) => lines.push(piece)));
};

describe('a stream of chat chunks', () => {
  it('is relayed as the same bytes, however the stream was split', () => {
    fc.assert(
      fc.property(anyStream, fc.array(fc.nat(), { maxLength: 20 }), fc.boolean(), (events, cuts, hasReturns) => {
        const text = eventBytes(events).toString();
        const bytes = Buffer.from(hasReturns ? text.replaceAll('\n\n', '\r\n\r\n') : text);
        const whole = throughLines([bytes]);
        const pieces = throughLines(split(bytes, cuts));
        expect(pieces.bytes.toString()).toBe(whole.bytes.toString());
        expect(pieces.relay.usage).toEqual(whole.relay.usage);
        expect(pieces.relay.text()).toEqual(whole.relay.text());
      }),
    );
  });

  it('is relayed as the same chunks, by template or by parsing', () => {
    fc.assert(
      fc.property(anyStream, (events) => {
        const copied = relayed(events);
        const parsed = relayed(events.map(unrepeated));
        expect(copied.chunks).toEqual(parsed.chunks);
        expect(copied.relay.text()).toEqual(parsed.relay.text());
        expect(copied.relay.usage).toEqual(parsed.relay.usage);
        expect(copied.failure).toEqual(parsed.failure);
      }),
      { numRuns: 300 },
    );
  });

  it('is relayed as the same chunks, by template or by parsing, if reasoning is excluded', () => {
    fc.assert(
      fc.property(anyStream, (events) => {
        const terms = { excludesReasoning: true };
        expect(relayed(events, terms).chunks).toEqual(relayed(events.map(unrepeated), terms).chunks);
      }),
    );
  });

  it('fails if a string of a chunk that matches the template is not valid JSON', () => {
    const good = JSON.stringify(chatChunk({ content: 'MIDDLE' }));
    const stream = (middle: string | Buffer): Buffer[][] =>
      [good, good, good]
        .map((event) => [Buffer.from(event)])
        .concat([
          [
            Buffer.concat([
              Buffer.from(good.split('MIDDLE')[0]!),
              Buffer.from(middle),
              Buffer.from(good.split('MIDDLE')[1]!),
            ]),
          ],
        ]);
    for (const middle of ['\n', '\\x', '\\u12g4', '\\', '\u0000', '"x', '\\u12'])
      expect(relayedBatches(stream(middle)).failure).toMatchObject({ kind: 'provider_failed' });
    // Text that closes the string early is parsed, if the result is valid JSON. Invalid UTF-8 becomes U+FFFD.
    const added = relayedBatches([...stream('x","refusal":"y'), [Buffer.from(JSON.stringify(finishChunk('stop')))]]);
    expect((added.chunks as { choices: { delta: object }[] }[])[3]!.choices[0]!.delta).toEqual({
      content: 'x',
      refusal: 'y',
    });
    expect(relayedBatches(stream(Buffer.from([0xff]))).bytes.toString()).toContain('"content":"\ufffd"');
  });
});

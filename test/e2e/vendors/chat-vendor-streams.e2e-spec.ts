import { startChatStage, streamChat, VENDOR_KEY, type ChatStage } from '../../support/vendors/chat-through-vendor.js';
import { bytes, call, end, FAILED, LARGE, role, SURVIVED, WHOLE } from '../../support/vendors/odd-chat-streams.js';
import { CHAT_USAGE, eventBytes, type ChatScript } from '../../support/vendors/scripted-chat-vendor.js';

let stage: ChatStage;
beforeAll(async () => (stage = await startChatStage(1_500)));
afterAll(() => stage.close());

describe('a vendor stream', () => {
  it.each(SURVIVED)(
    'with %s is relayed completely',
    async (_, script: ChatScript, expected: string = WHOLE, ...usage: unknown[]) => {
      stage.vendor.script(script);
      const { chunks, relay, failure } = await streamChat(stage);
      expect(failure).toBeUndefined();
      const choices = chunks.flatMap((chunk) => chunk.choices);
      expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe(expected);
      expect(choices[0].delta.role).toBe('assistant');
      expect(choices.filter(({ delta }) => delta.role)).toHaveLength(1);
      expect(choices.map(({ finish_reason }) => finish_reason).filter(Boolean)).toEqual(['stop']);
      expect(choices.at(-1).finish_reason).toBe('stop');
      expect(relay.usage).toEqual(usage.length > 0 ? usage[0] : CHAT_USAGE);
      expect(relay.text()).toEqual([expected]);
    },
  );

  it.each(FAILED)('that %s fails after the events before it', async (_, script: ChatScript, expected: string = '') => {
    stage.vendor.script(script);
    const { chunks, failure } = await streamChat(stage);
    expect(chunks.map(({ choices }) => choices[0].delta.content ?? '').join('')).toBe(expected);
    expect(failure!.kind).toMatch(/^(provider_\w+|invalid_request)$/);
    expect(failure!.message).not.toContain(VENDOR_KEY);
    expect(chunks.every(({ choices }) => choices[0].finish_reason === null)).toBe(true);
  });

  it('may have tool arguments of 128 KiB, in one piece and in many', async () => {
    const args = JSON.stringify({ text: LARGE.slice(0, LARGE.length / 4) });
    const first = call({ id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } });
    for (const size of [args.length, 1_024]) {
      const pieces = Array.from({ length: Math.ceil(args.length / size) }, (_, n) =>
        args.slice(n * size, (n + 1) * size),
      );
      const events = [role, first, ...pieces.map((piece) => call({ function: { arguments: piece } })), ...end];
      stage.vendor.script(bytes(eventBytes(events), { splitBytes: 50_000 }));
      const { chunks, relay } = await streamChat(stage);
      const sent = chunks.flatMap(({ choices }) => choices[0].delta.tool_calls ?? []);
      expect(sent.map((piece: { function: { arguments: string } }) => piece.function.arguments).join('')).toBe(args);
      expect(relay.finishReason).toBe('tool_calls');
      expect(relay.text()).toEqual([`f${args}`]);
    }
  });
});

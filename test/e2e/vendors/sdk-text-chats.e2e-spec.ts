import type { ApiAnswer } from '../../support/api/api-client.js';
import { modelOf, startSdkTextStage, type SdkTextStage } from '../../support/vendors/sdk-text-stage.js';
import { streamedChunks, streamedText } from '../../support/calls/text-stage.js';

let stage: SdkTextStage;
beforeAll(async () => (stage = await startSdkTextStage()), 120_000);
afterAll(() => stage.stop());

/**
 * Calculated by hand from prices in USD per million tokens: prompt 3, completion 15, cache read 0.3, cache write 3.75
 * (five minutes) and 6 (one hour), reasoning 20.
 * 10 · 3 + 300 · 0.3 + 20 · 3.75 + 30 · 6 + 7 · 15 = 480; 60 · 3 + 40 · 0.3 + 5 · 15 + 2 · 20 = 307;
 * 60 · 3 + 40 · 0.3 + 7 · 15 = 297; 100 · 3 + 7 · 15 = 405.
 */
const BILLS: Readonly<
  Record<string, readonly [prompt: number, cached: number, written: number, reasoning: number, cost: number]>
> = {
  anthropic: [360, 300, 50, 0, 0.00048],
  'vertex-anthropic': [360, 300, 50, 0, 0.00048],
  bedrock: [360, 300, 50, 0, 0.00048],
  google: [100, 40, 0, 2, 0.000307],
  vertex: [100, 40, 0, 2, 0.000307],
  azure: [100, 40, 0, 2, 0.000307],
  xai: [100, 40, 0, 2, 0.000307],
  mistral: [100, 40, 0, 0, 0.000297],
  cohere: [100, 0, 0, 0, 0.000405],
};
/** The vendor's finish reason for a tool call. */
const CALLED: Readonly<Record<string, string>> = {
  anthropic: 'tool_use',
  'vertex-anthropic': 'tool_use',
  bedrock: 'tool_use',
  google: 'STOP',
  vertex: 'STOP',
  azure: 'tool_calls',
  xai: 'completed',
  mistral: 'tool_calls',
  cohere: 'TOOL_CALL',
};
const WAYS = Object.keys(BILLS).flatMap((name) => [[name, false] as const, [name, true] as const]);
const call = { id: 'call00001', name: 'weather', input: { city: 'Vienna' } };
const TOOL = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'Looks it up',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
};

// oxlint-disable-next-line typescript/no-explicit-any
const usageOf = (answer: ApiAnswer, streamed: boolean): any =>
  streamed ? streamedChunks(answer).at(-1).usage : answer.json.usage;

// oxlint-disable-next-line typescript/no-explicit-any
function messageOf(answer: ApiAnswer, streamed: boolean): any {
  if (!streamed) return answer.json.choices[0].message;
  const deltas = streamedChunks(answer).flatMap(({ choices }) => choices.map(({ delta }: { delta: object }) => delta));
  const calls = deltas.flatMap(({ tool_calls: pieces = [] }) => pieces);
  return {
    role: 'assistant',
    content: deltas.map(({ content = '' }) => content).join('') || null,
    tool_calls:
      calls.length === 0
        ? undefined
        : [
            {
              id: calls[0].id,
              type: 'function',
              function: {
                name: calls[0].function.name,
                arguments: calls.map((piece) => piece.function.arguments).join(''),
              },
            },
          ],
  };
}

describe('a chat through a package', () => {
  it.each(WAYS)(
    'with %s returns text, finish reason, usage by class and price (streamed: %s)',
    async (name, stream) => {
      const text = ['Good ', 'day, ', 'wörld 🌍'];
      const answer = await stage.chat(name, { text }, { stream });
      expect([answer.status, answer.headers.get('x-generation-id')]).toEqual([200, expect.stringMatching(/^gen-/)]);
      expect(stream ? streamedText(answer) : answer.json.choices[0].message.content).toBe(text.join(''));
      const finish = stream ? streamedChunks(answer).at(-2).choices[0] : answer.json.choices[0];
      expect(finish).toMatchObject({ finish_reason: 'stop' });
      const [prompt, cached, written, reasoning, cost] = BILLS[name]!;
      expect(usageOf(answer, stream)).toMatchObject({
        prompt_tokens: prompt,
        completion_tokens: 7,
        total_tokens: prompt + 7,
        prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
        completion_tokens_details: { reasoning_tokens: reasoning },
        cost,
        is_byok: false,
      });
      const id = answer.headers.get('x-generation-id');
      const { data } = (await stage.service.standard.get(`/generation?id=${id}`)).json;
      expect(data).toMatchObject({ total_cost: cost, model: modelOf(name), streamed: stream, finish_reason: 'stop' });
    },
  );

  it.each(WAYS)('with %s calls a tool and reads its result (streamed: %s)', async (name, stream) => {
    const user = { role: 'user', content: 'How warm is it?' };
    const first = await stage.chat(
      name,
      { call, finish: CALLED[name]! },
      { stream, messages: [user], tools: [TOOL], tool_choice: 'required' },
    );
    expect(first.status).toBe(200);
    expect(JSON.stringify(stage.sent())).toContain('"weather"');
    const message = messageOf(first, stream);
    expect(message.tool_calls).toEqual([
      { id: expect.any(String), type: 'function', function: { name: 'weather', arguments: '{"city":"Vienna"}' } },
    ]);
    const reason = (stream ? streamedChunks(first).at(-2) : first.json).choices[0].finish_reason;
    expect(reason).toBe('tool_calls');
    const result = { role: 'tool', tool_call_id: message.tool_calls[0].id, content: '21 degrees' };
    const second = await stage.chat(
      name,
      { text: ['Warm'] },
      { stream, messages: [user, message, result], tools: [TOOL] },
    );
    expect(messageOf(second, stream).content).toBe('Warm');
    for (const part of ['21 degrees', 'Vienna']) expect(JSON.stringify(stage.sent())).toContain(part);
  });

  it('is streamed as one event for each step of the package', async () => {
    const answer = await stage.chat(
      'anthropic',
      { text: Array.from({ length: 50 }, (_, n) => `${n} `) },
      { stream: true },
    );
    const deltas = streamedChunks(answer).filter(({ choices }) => choices[0]?.delta?.content);
    expect(deltas).toHaveLength(50);
  });
});

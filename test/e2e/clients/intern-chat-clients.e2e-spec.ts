import { OpenRouter } from '@openrouter/sdk';
import OpenAI from 'openai';
import { eventually } from '../../support/eventually.js';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { watchInterns } from '../../support/interns/provisioned-interns.js';
import { ScriptedRuntimes } from '../../support/interns/scripted-runtimes.js';
import { TEST_API_KEY } from '../../support/services/test-service.js';

const OPTIONS = ['allow_once', 'reject_once'] as const;
const ASK = { kind: 'permission', operation: 'GET https://a.example/', options: OPTIONS } as const;

async function read<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of stream) found.push(each);
  return found;
}

/** Two unmodified clients use the chat of one intern. */
describe('the chat of an intern under WIRE_DIALECT=openrouter:', () => {
  let stage: InternsStage;
  let runtimes: ScriptedRuntimes;
  let id: string;
  let sdk: OpenRouter;
  let openai: OpenAI;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { WIRE_DIALECT: 'openrouter' } });
    runtimes = ScriptedRuntimes.insteadOf(stage.app);
    id = await watchInterns(() => ({ stage, me: { api: stage.standard } as Member })).running('talker');
    const base = `${stage.origin}/api/v1`;
    sdk = new OpenRouter({ apiKey: TEST_API_KEY, serverURL: base, retryConfig: { strategy: 'none' } });
    openai = new OpenAI({ apiKey: TEST_API_KEY, baseURL: `${base}/interns/${id}`, maxRetries: 0 });
  });
  afterAll(() => stage.stop(), 30_000);

  type Message = { role: 'user'; content: string } | { role: 'tool'; toolCallId: string; content: string };
  const chat = (message: Message, sessionId?: string) =>
    sdk.interns.chat({
      internId: id,
      internChatCompletionRequest: { stream: true, messages: [message], sessionId, approvalMode: 'manual' },
    });
  const chunksOf = async (sent: ReturnType<typeof chat>) => {
    const { result } = await sent;
    return read(result as Extract<typeof result, AsyncIterable<unknown>>);
  };

  it('@openrouter/sdk streams a message, answers a question and reads session and usage', async () => {
    runtimes.script = (turn) => turn.think('hm').say('May I?').ask('q1', ASK);
    const asked = await chunksOf(chat({ role: 'user', content: 'Read a.example' }));
    expect(asked.map(({ choices }) => choices[0]?.finishReason ?? null).filter(Boolean)).toEqual(['tool_calls']);
    const call = asked.flatMap(({ choices }) => choices[0]?.delta.toolCalls ?? [])[0]!;
    expect(call).toMatchObject({ id: 'q1', function: { name: 'openrouter.provide_input' } });
    expect(JSON.parse(call.function.arguments)).toEqual(ASK);
    const { sessionId, usage, model } = asked.at(-1)!;
    expect([usage, model]).toEqual([null, 'openrouter/intern']);
    const going = chunksOf(chat({ role: 'tool', toolCallId: 'q1', content: 'reject_once' }, sessionId!));
    await eventually(async () => expect(runtimes.turnOf(id).answers).toHaveLength(1));
    runtimes.turnOf(id).say('Then not.').end('author/model');
    const ended = await going;
    expect(ended.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Then not.');
    expect(ended.at(-1)).toMatchObject({
      choices: [],
      sessionId,
      model: 'author/model',
      usage: { promptTokens: 20, completionTokens: 7, totalTokens: 27, cost: 0.25 },
    });
  });

  it('@openrouter/sdk reads the status `steered`, and the reason of a refusal', async () => {
    runtimes.script = () => undefined;
    const first = await chat({ role: 'user', content: 'one' }, 'steered');
    const second = await chat({ role: 'user', content: 'two' }, 'steered');
    expect(second.result).toEqual({ sessionId: 'steered', status: 'steered' });
    await expect(chat({ role: 'user', content: 'three' }, 'other')).rejects.toMatchObject({
      statusCode: 409,
      error: { code: 409, metadata: { reason: 'busy', retryable: true } },
    });
    runtimes.turnOf(id).end();
    await read(first.result as Extract<typeof first.result, AsyncIterable<unknown>>);
  });

  it('@openrouter/sdk reads the failure of a run as a chunk', async () => {
    runtimes.script = (turn) => turn.say('so far').fail('spending_limit');
    const chunks = await chunksOf(chat({ role: 'user', content: 'x' }));
    expect(chunks.at(-2)).toMatchObject({
      choices: [{ finishReason: 'error' }],
      error: { code: 402, metadata: { reason: 'turn_failed', retryable: false } },
    });
  });

  it('openai streams a message, answers a question, and throws the failure of a run', async () => {
    const ask = (messages: OpenAI.ChatCompletionMessageParam[], more: object = {}) =>
      openai.chat.completions.create({ model: 'any', stream: true, messages, ...more });
    runtimes.script = (turn) => void turn.ask('q2', ASK);
    const user = { role: 'user', content: 'Read' } as const;
    const asked = await read(await ask([user], { session_id: 'oa' }));
    const calls = asked.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    expect(calls).toMatchObject([{ index: 0, id: 'q2', function: { name: 'openrouter.provide_input' } }]);
    const echoed = { role: 'assistant', tool_calls: calls as OpenAI.ChatCompletionMessageToolCall[] } as const;
    const answer = { role: 'tool', tool_call_id: 'q2', content: 'allow_once' } as const;
    const going = await ask([user, echoed, answer], { session_id: 'oa' });
    runtimes.turnOf(id).say('Done').end();
    const chunks = await read(going);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Done');
    expect(chunks.at(-1)!.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 });
    runtimes.script = (turn) => turn.fail('runtime_ended');
    await expect(read(await ask([user]))).rejects.toThrow('scripted: runtime_ended');
  });

  it('openai cancels the run when it aborts its stream', async () => {
    runtimes.script = (turn) => void turn.say('working');
    const messages = [{ role: 'user', content: 'x' }] as const;
    const stream = await openai.chat.completions.create({ model: 'any', stream: true, messages: [...messages] });
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'working') break;
    await eventually(async () => expect(runtimes.turnOf(id).isCancelled).toBe(true));
  });
});

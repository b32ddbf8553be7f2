import { eventsOf, LIMITS, openAgentStage, textOf, type AgentStage } from '../../test/support/interns/agent-stage.js';
import { eventually } from '../../test/support/eventually.js';
import { chunksOf, eventOf } from '../../test/support/vendors/scripted-model.js';

const LIST = { calls: [{ name: 'list_files', arguments: {} }] };
const ASK = { calls: [{ name: 'ask', arguments: { message: 'Which gate?' } }] };

describe('the end of a turn of an agent', () => {
  let stage: AgentStage;
  beforeAll(async () => {
    stage = await openAgentStage();
    await stage.boot();
  });
  afterAll(() => stage.close());
  beforeEach(() => {
    stage.model.calls.splice(0);
    stage.model.respond = () => ({ text: 'Done.' });
  });

  it('is caused by the limit of steps, and not one step earlier', async () => {
    const limits = { ...LIMITS, steps: 3 };
    stage.model.script(LIST, LIST, { text: 'ok' });
    expect((await stage.turn('Go', { limits })).at(-1)!.type).toBe('end');
    stage.model.respond = () => LIST;
    expect((await stage.turn('Go', { limits })).at(-1)).toMatchObject({ reason: 'step_limit', retryable: false });
    expect(stage.model.calls).toHaveLength(6);
  });

  it('is caused by the limit of tokens only if a further call is needed', async () => {
    const limits = { ...LIMITS, tokens: 40 };
    stage.model.script({ ...LIST, tokens: 10 }, { text: 'ok', tokens: 1_000 });
    expect((await stage.turn('Go', { limits })).at(-1)).toMatchObject({
      type: 'end',
      usage: { promptTokens: 1_010, completionTokens: 1_010, cachedTokens: 2, costUsd: 0.000_002 },
    });
    stage.model.script({ ...LIST, tokens: 20 });
    expect((await stage.turn('Go', { limits })).at(-1)).toMatchObject({
      type: 'failed',
      reason: 'token_limit',
      usage: { promptTokens: 20 },
    });
    expect(stage.model.calls).toHaveLength(3);
  });

  it('is caused by the limit of time while a model stalls', async () => {
    stage.model.script({ stalls: true });
    const events = await stage.turn('Go', { limits: { ...LIMITS, activeMs: 300 } });
    expect(events.at(-1)).toMatchObject({ type: 'failed', reason: 'time_limit' });
  });

  it('is caused by a question that is not answered in time', async () => {
    stage.model.script(ASK);
    const events = await stage.turn('Go', { limits: { ...LIMITS, answerMs: 300 } });
    expect(events.map(({ type }) => type)).toEqual(['question', 'failed']);
    expect(events.at(-1)).toMatchObject({ reason: 'answer_timeout' });
  });

  it('is caused by a spending limit, immediately and without a retry', async () => {
    stage.model.script({ status: 402, error: 'Not enough credits' });
    expect((await stage.turn('Go')).at(-1)).toMatchObject({
      type: 'failed',
      reason: 'spending_limit',
      message: 'Not enough credits',
      retryable: false,
    });
    expect(stage.model.calls).toHaveLength(1);
  });

  it.each([400, 401, 403, 404])('is caused by a model that responds with %i, immediately', async (status) => {
    stage.model.script({ status, error: 'No such model' });
    expect((await stage.turn('Go')).at(-1)).toMatchObject({
      reason: 'model_unavailable',
      message: 'No such model',
      retryable: false,
    });
    expect(stage.model.calls).toHaveLength(1);
  });

  it.each([408, 429, 500, 502, 503, 529])(
    'is not caused by a single response %i: the call is retried',
    async (status) => {
      stage.model.script({ status, headers: { 'retry-after': '0' } }, { text: 'ok' });
      expect((await stage.turn('Go')).at(-1)!.type).toBe('end');
      expect(stage.model.calls).toHaveLength(2);
    },
  );

  it('is caused by four failed calls of the model', async () => {
    stage.model.respond = () => ({ status: 503, error: 'Nobody there' });
    const [failed] = await stage.turn('Go');
    expect(failed).toMatchObject({ reason: 'model_unavailable', message: 'Nobody there', retryable: true });
    expect(stage.model.calls).toHaveLength(4);
  }, 60_000);

  it('is caused by a stream that breaks off after its first words; the words stay in the session', async () => {
    const chunks = chunksOf({ text: 'One two three' });
    stage.model.script({ raw: chunks.slice(0, 3).map(eventOf).join('') });
    const events = await stage.turn('Go', { sessionId: 'broken' });
    expect(textOf(events)).toBe('One two ');
    expect(events.at(-1)).toMatchObject({ reason: 'model_unavailable', retryable: true });
    expect(stage.model.calls).toHaveLength(1);
    await stage.turn('And?', { sessionId: 'broken' });
    expect(stage.model.calls.at(-1)!.json.messages).toContainEqual({ role: 'assistant', content: 'One two ' });
  });

  it('is caused by an error inside a stream', async () => {
    const error = { code: 402, message: 'The credits are used up' };
    const choices = [{ index: 0, delta: { content: '' }, finish_reason: 'error' }];
    stage.model.script({ raw: `${eventOf({ error, choices })}data: [DONE]\n\n` });
    expect((await stage.turn('Go')).at(-1)).toMatchObject({ reason: 'spending_limit', retryable: false });
  });

  it('is not caused by a context that is too long for the model: the context is shortened', async () => {
    await stage.turn('x'.repeat(30_000), { sessionId: 'long' });
    const sizes: number[] = [];
    stage.model.respond = ({ json }) => {
      sizes.push(JSON.stringify(json.messages).length);
      return sizes.at(-1)! < 10_000
        ? { text: 'ok' }
        : { status: 400, error: 'too long', type: 'context_length_exceeded' };
    };
    expect((await stage.turn('And?', { sessionId: 'long' })).at(-1)!.type).toBe('end');
    expect(sizes.length).toBeGreaterThan(1);
    const { messages } = stage.model.calls.at(-1)!.json;
    expect(messages.at(-1)).toEqual({ role: 'user', content: 'And?' });
  });

  it('is caused by a cancellation during a call of the model or a question; the next turn runs', async () => {
    for (const [reply, waits] of [[{ stalls: true }, 'model'] as const, [ASK, 'question'] as const]) {
      stage.model.script(reply);
      const before = stage.model.calls.length;
      const turn = stage.runtime().startTurn(stage.request(waits));
      if (waits === 'model') {
        await eventually(async () => expect(stage.model.calls.length).toBeGreaterThan(before));
        turn.cancel();
      }
      const events = await eventsOf(turn, () => turn.cancel());
      expect([waits, events.at(-1)]).toEqual([
        waits,
        expect.objectContaining({ reason: 'cancelled', retryable: false }),
      ]);
      expect((await stage.turn('Go')).at(-1)!.type).toBe('end');
    }
  });

  it('is caused by the end of the runtime, and reported once', async () => {
    stage.model.script({ stalls: true });
    const turn = stage.runtime().startTurn(stage.request('Go'));
    await eventually(async () => expect(stage.model.calls).toHaveLength(1));
    process.kill(await stage.pid(), 'SIGKILL');
    const events = await eventsOf(turn);
    expect(events).toEqual([expect.objectContaining({ type: 'failed', reason: 'runtime_ended', retryable: true })]);
    const late = await eventsOf(stage.runtime().startTurn(stage.request('Go')));
    expect(late).toEqual([expect.objectContaining({ type: 'failed', reason: 'runtime_ended' })]);
    await expect(stage.runtime().sessions()).rejects.toThrow('the runtime ended');
    await stage.boot();
    expect((await stage.turn('Go')).at(-1)!.type).toBe('end');
  });
});

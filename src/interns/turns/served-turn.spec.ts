import { jest } from '@jest/globals';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { ScriptedRuntime, ScriptedTurn } from '../../../test/support/interns/scripted-runtimes.js';
import type { RuntimeBoot } from '../../runtimes/runtime.driver.js';
import type { TurnEvent, TurnRequest } from '../../runtimes/turn.js';
import { AskedQuestions } from './asked-questions.js';
import { ServedTurn } from './served-turn.js';

const LIMITS = { steps: 5, activeMs: 10_000, tokens: 100, answerMs: 60_000 };
const PERMISSION = { kind: 'permission', operation: 'x', options: ['allow_once'] } as const;

describe('a served turn', () => {
  let turn: ScriptedTurn;
  let stopped: boolean;
  let over: number;
  let questions: AskedQuestions;
  let run: ServedTurn;
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const runtime = new ScriptedRuntime({} as RuntimeBoot, () => undefined);
    runtime.stop = async () => void (stopped = true);
    [turn, stopped, over, questions] = [new ScriptedTurn({} as TurnRequest), false, 0, new AskedQuestions()];
    const place = { internId: 'i', sessionId: 's', runtime, model: null };
    run = new ServedTurn(place, LIMITS, questions, () => over++);
    run.start(turn);
  });
  afterEach(() => {
    turn.end();
    jest.useRealTimers();
  });
  const read = async (from = run): Promise<TurnEvent[]> => {
    const events: TurnEvent[] = [];
    for await (const event of from.events()) events.push(event);
    return events;
  };
  const asked = async () => {
    await turnOfLoop();
    return questions.find('i', 's', 'q')!;
  };

  it('sends the events up to a question in one response, and the events after its answer in the next', async () => {
    turn.say('a').ask('q', PERMISSION).say('b');
    expect((await read()).map(({ type }) => type)).toEqual(['text', 'question']);
    expect(run.answer(await asked(), { kind: 'permission', option: 'allow_once' })).toBe(true);
    turn.end();
    expect((await read()).map(({ type }) => type)).toEqual(['text', 'end']);
    expect(over).toBe(1);
  });

  it('accepts one answer, and no answer before the response has read the question', async () => {
    const reading = run.events();
    const first = reading.next();
    turn.say('a').ask('q', PERMISSION);
    await first;
    const answer = { kind: 'permission', option: 'allow_once' } as const;
    expect(run.answer(await asked(), answer)).toBe(false);
    await reading.next();
    expect([run.answer(await asked(), answer), run.answer(await asked(), answer)]).toEqual([true, false]);
  });

  it('is over when the agent has ended the turn, even if the events are not read', async () => {
    turn.say('a').end();
    await turnOfLoop();
    expect([over, run.takesMessages]).toEqual([1, false]);
    expect((await read()).map(({ type }) => type)).toEqual(['text', 'end']);
  });

  it('ends the runtime 30 s after the time limit of the turn, and not before, if the agent is silent', async () => {
    await jest.advanceTimersByTimeAsync(39_999);
    expect(stopped).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(stopped).toBe(true);
  });

  it('does not count the wait for an answer, which has a separate limit', async () => {
    turn.ask('q', PERMISSION);
    await asked();
    await jest.advanceTimersByTimeAsync(89_999);
    expect(stopped).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(stopped).toBe(true);
  });

  it('ends a runtime that does not confirm a cancelled turn within 15 s', async () => {
    turn.endsOnCancel = false;
    run.cancel();
    expect([turn.isCancelled, run.takesMessages]).toEqual([true, false]);
    await jest.advanceTimersByTimeAsync(14_999);
    expect(stopped).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(stopped).toBe(true);
  });

  it('does not end the runtime if a cancelled turn has ended', async () => {
    run.cancel();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([stopped, over]).toEqual([false, 1]);
  });

  it('fails with runtime_ended if the events end without a last event', async () => {
    const place = { ...run.place };
    const silent = new ServedTurn(place, LIMITS, questions, () => over++);
    silent.start({
      ...turn,
      events: (async function* () {})(),
      steer: () => undefined,
      answer: () => false,
      cancel: () => undefined,
    });
    expect(await read(silent)).toMatchObject([{ type: 'failed', reason: 'runtime_ended' }]);
    expect(over).toBe(1);
  });

  it('rejects waiting messages with the reason why it could not be started', async () => {
    const never = new ServedTurn(run.place, LIMITS, questions, () => over++);
    const steered = never.steer('x');
    never.abandon(new Error('no audit'));
    await expect(steered).rejects.toThrow('no audit');
    expect(over).toBe(1);
  });
});

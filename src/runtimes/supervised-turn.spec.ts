import { jest } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { HostileAgent, TURN_REQUEST } from '../../test/support/interns/hostile-agent.js';
import type { Turn, TurnEvent } from './turn.js';

const END = { type: 'end', usage: {}, model: 'm' };

async function eventsOf(turn: Turn): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of turn.events) events.push(event);
  return events;
}

describe('a turn of an agent with hostile output', () => {
  let agent: HostileAgent;
  let turn: Turn;
  beforeEach(async () => {
    agent = new HostileAgent();
    turn = (await agent.boot()).startTurn(TURN_REQUEST);
  });

  afterEach(() => jest.restoreAllMocks());

  it('ignores lines that are not messages, and events that are invalid or belong to another turn', async () => {
    agent.write('\0\xff{"event":\n[]\nnull\n"text"\n{"event":null}\n{"event":{"turnId":"t"}}\n{"event":7}\n');
    agent.write(`${'x'.repeat(1_000_000)}\n`);
    for (const event of [
      null,
      7,
      [],
      {},
      { type: 'text' },
      { type: 'text', text: 7 },
      { type: 'question' },
      { type: 'x' },
    ])
      agent.event(event);
    agent.write('{"event":{"turnId":"u","event":{"type":"text","text":"other"}}}\n{"done":{}}\n{"session":{}}\n');
    agent.event({ type: 'text', text: 'mine' });
    agent.event(END);
    agent.event({ type: 'text', text: 'late' });
    agent.event(END);
    expect(await eventsOf(turn)).toEqual([
      { type: 'text', text: 'mine' },
      { type: 'end', model: 'm', usage: { promptTokens: 0, cachedTokens: 0, completionTokens: 0, costUsd: 0 } },
    ]);
  });

  it('passes on members of the right types only', async () => {
    agent.event({
      type: 'failed',
      reason: 'toString',
      message: 7,
      retryable: 1,
      usage: { costUsd: -1, promptTokens: '1' },
    });
    expect(await eventsOf(turn)).toEqual([
      {
        type: 'failed',
        reason: 'internal',
        message: '',
        retryable: false,
        usage: { promptTokens: 0, cachedTokens: 0, completionTokens: 0, costUsd: 0 },
      },
    ]);
  });

  it('opens a host only after the user has answered a question that names the host', async () => {
    const ask = (questionId: string, operation: string, host: unknown): void =>
      agent.event({ type: 'question', questionId, question: { kind: 'permission', operation } }, { host });
    ask('q1', 'GET "https://one.test/"', 'one.test');
    ask('q2', 'GET "https://two.test/"', 'hidden.test');
    ask('q3', 'GET "https://three.test/"', 'three.test');
    agent.event(
      { type: 'question', questionId: 'q4', question: { kind: 'elicitation', message: 'four.test' } },
      { host: 'four.test' },
    );
    agent.event({ type: 'text', text: '.' });
    for await (const { type } of turn.events) if (type === 'text') break;
    expect(agent.opened).toEqual([]);
    expect(turn.answer('none', { kind: 'permission', option: 'allow_always' })).toBe(false);
    for (const [id, option] of [
      ['q1', 'allow_once'],
      ['q2', 'allow_always'],
      ['q3', 'reject_once'],
    ] as const)
      expect(turn.answer(id, { kind: 'permission', option })).toBe(true);
    expect(turn.answer('q1', { kind: 'permission', option: 'allow_always' })).toBe(false);
    expect(turn.answer('q4', { kind: 'elicitation', action: 'accept' })).toBe(true);
    expect([agent.opened, agent.closed]).toEqual([['one.test'], []]);
    agent.event(END);
    await eventually(() => Promise.resolve(expect(agent.closed).toEqual(['one.test'])));
  });

  it('ends when the unread events exceed their limit, and discards further events', async () => {
    // Makes reading take no time, so that the service does not pause it and the reader stays behind.
    jest.spyOn(performance, 'now').mockReturnValue(0);
    for (let sent = 0; sent < 8_388_608; sent += 32_768) agent.event({ type: 'text', text: 'x'.repeat(32_768) });
    agent.event(END);
    const events = await eventsOf(turn);
    expect(events.map(({ type }) => type)).toEqual(['text', 'failed']);
    expect((events[0] as { text: string }).text).toHaveLength(4_194_304);
    expect(events[1]).toMatchObject({ reason: 'internal' });
  });

  it('fails once when the runtime ends, also with an unanswered question', async () => {
    agent.event({ type: 'question', questionId: 'q1', question: { kind: 'permission', operation: 'x' } });
    agent.ended.resolve('it was ended by SIGKILL');
    const events = await eventsOf(turn);
    expect(events.at(-1)).toMatchObject({ type: 'failed', reason: 'runtime_ended', retryable: true });
    expect(events.filter(({ type }) => type === 'failed')).toHaveLength(1);
    expect(turn.answer('q1', { kind: 'permission', option: 'allow_once' })).toBe(false);
  });
});

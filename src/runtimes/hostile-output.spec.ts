import { jest } from '@jest/globals';
import { eventually } from '../../test/support/eventually.js';
import { HostileAgent, TURN_REQUEST } from '../../test/support/interns/hostile-agent.js';
import type { AgentMembers } from './agent-conversation.js';
import type { Turn } from './turn.js';

const MALFORMED = '{"\n';

describe('an agent with output that other programs write', () => {
  let agent: HostileAgent;
  let members: AgentMembers;
  let turn: Turn;
  beforeEach(async () => {
    agent = new HostileAgent();
    members = await agent.boot();
    turn = members.startTurn(TURN_REQUEST);
  });
  afterEach(() => jest.restoreAllMocks());

  const ask = (questionId: string, operation = 'x', host?: string): void =>
    agent.event({ type: 'question', questionId, question: { kind: 'permission', operation } }, { host });
  /** The last event of the turn, and the number of questions before it. */
  async function ending(): Promise<unknown> {
    let questions = 0;
    for await (const event of turn.events) {
      if (event.type === 'end' || event.type === 'failed') return { ...event, questions };
      if (event.type === 'question') questions++;
    }
    return undefined;
  }

  it('may have eight unanswered questions at once, and not nine', async () => {
    for (let number = 1; number <= 8; number++) ask(`q${number}`);
    turn.answer('q1', { kind: 'permission', option: 'reject_once' });
    await eventually(() => Promise.resolve(expect(agent.received).toContain('"q1"')));
    ask('q9');
    ask('q10');
    ask('q11');
    expect(await ending()).toMatchObject({ type: 'failed', reason: 'internal', questions: 9 });
    expect(agent.received).toContain('{"cancel":{"turnId":"t"}}');
  });

  it('may not repeat a question before it is answered', async () => {
    for (let sent = 0; sent < 100; sent++) ask('q1');
    expect(await ending()).toMatchObject({ type: 'failed', reason: 'internal', questions: 1 });
  });

  it.each([
    ['in the path', 'http_request: GET "https://good.test/evil.test"'],
    ['after the name of a user', 'http_request: GET "https://good.test@evil.test/"'],
    ['in a second URL', 'GET "https://good.test/" "https://evil.test/"'],
    ['after another text', 'Read https://good.test with GET "https://evil.test/"'],
    ['in another operation', 'write_file: write "https://evil.test/": "x"'],
    ['as a part of another host', 'GET "https://not-evil.test/"'],
    ['without a URL', 'GET "evil.test"'],
    ['in quotes that do not end', 'GET "https://evil.test/'],
  ])('opens no host that the question names only %s', async (_, operation) => {
    ask('q1', operation, 'evil.test');
    for await (const { type } of turn.events) if (type === 'question') break;
    expect(turn.answer('q1', { kind: 'permission', option: 'allow_always' })).toBe(true);
    await eventually(() => Promise.resolve(expect(agent.received).toContain('"allow_always"')));
    expect(agent.opened).toEqual([]);
  });

  it('lists sessions with members of the right types only', async () => {
    const listed = members.sessions();
    const good = { sessionId: 's', createdAt: 1, updatedAt: 2, turns: 3 };
    const summaries = [
      good,
      { ...good, turns: 'many' },
      ...['7', '', 'x'.repeat(513)].map((text) => ({ ...good, sessionId: text === '7' ? 7 : text })),
      ...['1', -1, 1.5, 1e15, 1e300, null].map((createdAt) => ({ ...good, createdAt })),
      { ...good, updatedAt: {} },
      null,
      7,
      'text',
      [],
      {},
    ];
    for (const summary of summaries) agent.write(`${JSON.stringify({ session: { request: 1, summary } })}\n`);
    agent.write('{"done":{"request":1}}\n');
    expect(await listed).toEqual([good, { ...good, turns: 0 }]);
    const refused = members.sessions();
    agent.write(`${JSON.stringify({ done: { request: 2, error: { text: 'x'.repeat(9_000) } } })}\n`);
    await expect(refused).rejects.toThrow('the agent sent no reason');
  });

  it('may write 1,000 lines that look like messages but are not, and is ended after one more line', async () => {
    agent.write(MALFORMED.repeat(1_000));
    agent.write('no message\n'.repeat(10_000));
    const healthy = members.isHealthy();
    agent.write('{"pong":1}\n');
    expect(await healthy).toBe(true);
    agent.write(MALFORMED);
    await eventually(() => Promise.resolve(expect(agent.input.destroyed).toBe(true)));
    expect(agent.output.destroyed).toBe(true);
  });

  it('reports the reason for its end without characters that the database cannot store', async () => {
    agent.write(`${JSON.stringify({ fault: `a\0b\ud800c${'x'.repeat(1_000)}` })}\n`);
    await eventually(() => Promise.resolve(expect(agent.fault).toBe(`a b c${'x'.repeat(495)}`)));
  });

  it('is ended if it leaves more than 8 MiB of its input unread', () => {
    agent.input.pause();
    const text = 'x'.repeat(1_000_000);
    for (let sent = 0; sent < 8; sent++) turn.steer(text);
    expect(agent.input.destroyed).toBe(false);
    for (let sent = 0; sent < 2; sent++) turn.steer(text);
    expect(agent.input.destroyed).toBe(true);
    turn.steer(text);
    expect(agent.input.writableLength).toBeLessThan(10_000_000);
  });

  it('is not read for a while after output that took long to read', async () => {
    const now = performance.now();
    jest
      .spyOn(performance, 'now')
      .mockReturnValueOnce(now)
      .mockReturnValueOnce(now + 20);
    agent.write('{"pong":7}\n');
    await eventually(() => Promise.resolve(expect(agent.output.isPaused()).toBe(true)));
    await eventually(() => Promise.resolve(expect(agent.output.isPaused()).toBe(false)));
    agent.event({ type: 'end', usage: {}, model: 'm' });
    expect(await ending()).toMatchObject({ type: 'end' });
  });
});

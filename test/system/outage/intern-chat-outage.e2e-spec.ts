import { eventually } from '../../support/eventually.js';
import { answer, chatAs, user, type Chat } from '../../support/interns/intern-chat.js';
import { bearerOf } from '../../support/interns/intern-requests.js';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { watchInterns } from '../../support/interns/provisioned-interns.js';
import { ScriptedRuntimes } from '../../support/interns/scripted-runtimes.js';
import { TcpProxy } from '../../support/database/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

const QUESTION = { kind: 'permission', operation: 'x', options: ['allow_once'] } as const;

describe('the chat of an intern while the database is unavailable', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let stage: InternsStage;
  let me: Member;
  let authorization: string;
  let runtimes: ScriptedRuntimes;
  let chat: Chat;
  let id: string;
  const { running, untilIs } = watchInterns(() => ({ stage, me }));
  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await TcpProxy.before(database.url);
    stage = await startInternsStage({
      databaseUrl: proxy.through(database.url),
      env: { INTERN_LEASE_MS: '9999', DATABASE_TIMEOUT_MS: '2000', LOG_LEVEL: 'silent' },
    });
    runtimes = ScriptedRuntimes.insteadOf(stage.app);
    me = await stage.member();
    authorization = await bearerOf(stage, me);
    chat = chatAs(stage, authorization);
    id = await running('talker');
    // From here on, the service has the key in its cache.
    expect((await fetch(`${stage.origin}/api/v1/interns/${id}`, { headers: { authorization } })).status).toBe(200);
  }, 60_000);
  beforeEach(() => void (runtimes.script = () => undefined));
  afterEach(async () => {
    await proxy.forward();
    await untilIs(id, 'running', 60_000);
  }, 90_000);
  afterAll(async () => {
    await stage.stop();
    await proxy.stop();
    await database.drop();
  }, 60_000);

  const isAnswered = (): Promise<void> =>
    eventually(async () => {
      runtimes.script = (turn) => turn.say('back').end();
      const reading = await chat(id, user('x', { session_id: 'after' }));
      expect([reading.status, await reading.content()]).toEqual([200, 'back']);
    }, 60_000);

  it('is refused with a retryable 500, like the other routes of interns', async () => {
    await proxy.refuse();
    const unavailable = [500, refusal(500, 'internal_error', true)];
    for (const body of [user('x'), user('x', { session_id: 's' }), answer('s', 'q', 'cancel')]) {
      const refused = await chat(id, body);
      expect([refused.status, await refused.json()]).toEqual(unavailable);
    }
    for (const [method, path] of [
      ['GET', 'sessions'],
      ['DELETE', 'sessions/s'],
    ]) {
      const refused = await fetch(`${stage.origin}/api/v1/interns/${id}/${path}`, {
        method,
        headers: { authorization },
      });
      expect([refused.status, await refused.json()]).toEqual(unavailable);
    }
    await proxy.forward();
    await isAnswered();
  }, 120_000);

  it('continues a turn that was in progress before an outage shorter than the lease', async () => {
    const reading = await chat(id, user('x', { session_id: 'short' }));
    await reading.until((chunk) => chunk.choices[0]?.delta.role);
    const turn = runtimes.turnOf(id);
    await proxy.refuse();
    turn.say('during');
    await reading.until((chunk) => chunk.choices[0]?.delta.content === 'during');
    const steered = await chat(id, user('more', { session_id: 'short' }));
    expect([steered.status, turn.steered]).toEqual([500, []]);
    await proxy.forward();
    turn.say(' and after').end();
    expect(await reading.content()).toBe('during and after');
    expect(reading.text).toMatch(/data: \[DONE\]\n\n$/);
    await isAnswered();
  }, 120_000);

  it('keeps an open question during an outage, and accepts the answer after the outage', async () => {
    runtimes.script = (turn) => void turn.ask('q', QUESTION);
    await (
      await chat(id, user('x', { session_id: 'asked' }))
    ).whole;
    const turn = runtimes.turnOf(id);
    await proxy.refuse();
    expect((await chat(id, answer('asked', 'q', 'allow_once'))).status).toBe(500);
    expect(turn.answers).toEqual([]);
    await proxy.forward();
    await eventually(async () => expect((await chat(id, answer('asked', 'q', 'allow_once'))).status).toBe(200), 30_000);
    expect(turn.answers).toEqual([{ kind: 'permission', option: 'allow_once' }]);
    turn.end();
    await isAnswered();
  }, 120_000);

  it('ends a turn with stream_severed if the outage exceeds the lease, and then accepts messages again', async () => {
    const reading = await chat(id, user('x', { session_id: 'long' }));
    await reading.until((chunk) => chunk.choices[0]?.delta.role);
    await proxy.refuse();
    await reading.whole;
    const [end, last] = reading.chunks.slice(-2);
    expect(end).toMatchObject({
      choices: [{ finish_reason: 'error' }],
      error: { code: 502, metadata: { reason: 'stream_severed', retryable: true } },
    });
    expect(last).toMatchObject({ choices: [], session_id: 'long' });
    expect(reading.text).toMatch(/data: \[DONE\]\n\n$/);
    await proxy.forward();
    await isAnswered();
  }, 120_000);
});

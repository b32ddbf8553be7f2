import { setTimeout as sleep } from 'node:timers/promises';
import { startConversingInterns } from '../../support/interns/conversing-interns.js';
import { freePort } from '../../support/services/free-port.js';
import { chatOf, user, type Chat } from '../../support/interns/intern-chat.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import { eventually } from '../../support/eventually.js';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { watchInterns } from '../../support/interns/provisioned-interns.js';
import { ScriptedRuntimes } from '../../support/interns/scripted-runtimes.js';

const MASTER_KEY = 'b2'.repeat(32);
const LEASE_MS = 2_000;

/** Starts a replica that runs interns and has its own address. */
async function replica(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<[InternsStage, ScriptedRuntimes]> {
  const port = String(await freePort());
  const stage = await startInternsStage({
    databaseUrl,
    env: { MASTER_KEY, PORT: port, REPLICA_URL: `http://127.0.0.1:${port}`, INTERN_LEASE_MS: `${LEASE_MS}`, ...env },
  });
  return [stage, ScriptedRuntimes.insteadOf(stage.app)];
}

describe('interns of a replica that stops', () => {
  let database: TestDatabase;
  let old: InternsStage;
  let oldRuntimes: ScriptedRuntimes;
  let next: InternsStage;
  let nextRuntimes: ScriptedRuntimes;
  let me: Member;
  let chat: Chat;
  let stopping: Promise<void> | undefined;
  const { running } = watchInterns(() => ({ stage: old, me }));
  beforeEach(async () => {
    database = await createTestDatabase();
    [old, oldRuntimes] = await replica(database.url);
    me = await old.member();
  });
  afterEach(async () => {
    await stopping;
    await next.stop();
    await database.drop();
    stopping = undefined;
  }, 60_000);

  /** Starts the next replica, which replies to each message at once. */
  async function follow(env: Record<string, string> = {}): Promise<void> {
    [next, nextRuntimes] = await replica(database.url, env);
    nextRuntimes.script = (turn) => turn.say(`heard ${turn.request.text}`).end();
    chat = await chatOf(next, me);
  }

  it('move to another replica at once if they are idle, and after their turn if they are working', async () => {
    const [idle, working] = [await running('idle'), await running('working')];
    await follow();
    const underWay = await chat(working, user('a long task'));
    await eventually(async () => expect(oldRuntimes.turnOf(working).request.text).toBe('a long task'));
    stopping = old.stop();
    const moved = await chat(idle, user('hello'));
    expect([moved.status, await moved.content()]).toEqual([200, 'heard hello']);
    // The turn is still running, and the replica that runs it no longer accepts connections.
    await expect(fetch(`${old.origin}/healthz`)).rejects.toThrow('fetch failed');
    const waiting = chat(working, user('one more'));
    oldRuntimes.turnOf(working).say('done').end();
    expect([await underWay.content(), underWay.text.endsWith('data: [DONE]\n\n')]).toEqual(['done', true]);
    const later = await waiting;
    expect([later.status, await later.content()]).toEqual([200, 'heard one more']);
    expect(oldRuntimes.of(working).turns).toHaveLength(1);
  }, 60_000);

  it('are not taken again by the stopping replica', async () => {
    const id = await running('returning');
    await follow({ INTERN_RUNTIME: 'none', INTERN_MOVE_TIMEOUT_MS: '3000' });
    // A running turn keeps the stopping replica from ending.
    const other = await running('talking');
    const underWay = await chat(other, user('x'));
    stopping = old.stop();
    const refused = await chat(id, user('x'));
    expect([refused.status, (await refused.json()).error.metadata.reason]).toEqual([503, 'intern_not_ready']);
    const [row] = await next.sql.query('select lease_until from intern where id = $1', [id]);
    expect(row).toEqual({ lease_until: null });
    oldRuntimes.turnOf(other).end();
    await underWay.whole;
  }, 60_000);

  it('receive a waiting message after their move, even if their old replica accepts no connections', async () => {
    const id = await running('orphan');
    await old.sql.query('update intern set replica_url = $2 where id = $1', [
      id,
      `http://127.0.0.1:${await freePort()}`,
    ]);
    await follow();
    const waiting = chat(id, user('hello'));
    // Long enough for one attempt to connect to the replica that has the lease.
    await sleep(500);
    stopping = old.stop();
    const waited = await waiting;
    expect([waited.status, await waited.content()]).toEqual([200, 'heard hello']);
  }, 60_000);
});

describe('an intern that works while its service stops', () => {
  it('can still call its model after the service has closed its listeners', async () => {
    const interns = await startConversingInterns([]);
    const id = await interns.create('worker');
    const first = Promise.withResolvers<void>();
    const write = { name: 'write_file', arguments: { path: 'note.txt', content: 'Hello' } };
    interns.think = (messages) =>
      messages.at(-1)!.role === 'tool' ? { text: 'written' } : { calls: [write], until: first.promise };
    const [owner] = await interns.stage.sql.query<Member>(
      `select account_id as "accountId", workspace_id as "workspaceId", creator_user_id as "userId" from intern`,
    );
    const chat = await chatOf(interns.stage, owner!);
    const turn = await chat(id, user('Write a note', { approval_mode: 'self-drive' }));
    await eventually(async () => expect(interns.vendor.seen).toHaveLength(1));
    const closing = interns.close();
    await eventually(() => expect(fetch(`${interns.stage.origin}/healthz`)).rejects.toThrow('fetch failed'));
    first.resolve();
    expect(await turn.content()).toBe('written');
    expect(turn.chunks.filter(({ error }) => error)).toEqual([]);
    await closing;
  }, 60_000);
});

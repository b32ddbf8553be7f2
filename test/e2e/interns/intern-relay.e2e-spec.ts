import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { ConsoleCodes } from '../../../src/sessions/console-codes.js';
import { ConsoleBrowser } from '../../support/console/console-browser.js';
import { answer, chatOf, user } from '../../support/interns/intern-chat.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/services/free-port.js';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { watchInterns } from '../../support/interns/provisioned-interns.js';
import { ScriptedRuntimes } from '../../support/interns/scripted-runtimes.js';

const MASTER_KEY = 'b2'.repeat(32);

describe('two replicas, with interns on one of them', () => {
  let holder: InternsStage;
  let other: InternsStage;
  let me: Member;
  let runtimes: ScriptedRuntimes;
  let id: string;
  const { running } = watchInterns(() => ({ stage: holder, me }));
  beforeAll(async () => {
    const port = String(await freePort());
    const env = { MASTER_KEY, PORT: port, REPLICA_URL: `http://127.0.0.1:${port}` };
    holder = await startInternsStage({ env });
    runtimes = ScriptedRuntimes.insteadOf(holder.app);
    other = await startInternsStage({
      databaseUrl: holder.databaseUrl,
      env: { MASTER_KEY, INTERN_RUNTIME: 'none', INTERN_MOVE_TIMEOUT_MS: '0' },
    });
    me = await holder.member();
    id = await running('talker');
  });
  beforeEach(() => void (runtimes.script = () => undefined));
  afterAll(async () => {
    await other.stop();
    await holder.stop();
  }, 60_000);

  it('relay a stream, a steered message, a refusal and an answer', async () => {
    const chat = await chatOf(other, me);
    const first = await chat(id, user('one', { session_id: 's' }));
    const steered = await chat(id, user('two', { session_id: 's' }));
    expect([steered.status, await steered.json()]).toEqual([202, { session_id: 's', status: 'steered' }]);
    const refused = await chat(id, user('x', { session_id: 'other' }));
    expect([refused.status, await refused.json()]).toEqual([409, refusal(409, 'busy', true)]);
    expect(refused.response.headers.get('retry-after')).toBe('2');
    runtimes
      .turnOf(id)
      .say('May I?')
      .ask('q', { kind: 'permission', operation: 'x', options: ['allow_once'] });
    expect(await first.content()).toBe('May I?');
    const going = await chat(id, answer('s', 'q', 'allow_once'));
    runtimes.turnOf(id).say('Done').end();
    expect([await going.content(), going.text.endsWith('data: [DONE]\n\n')]).toEqual(['Done', true]);
  });

  it('cancel the run of a caller who disconnects from the relaying replica', async () => {
    const leaving = await (await chatOf(other, me))(id, user('x'));
    await leaving.until((chunk) => chunk.choices[0]?.delta.role);
    leaving.leave();
    await eventually(async () => expect(runtimes.turnOf(id).isCancelled).toBe(true));
  });

  it('relay requests that list and delete sessions', async () => {
    runtimes.of(id).stored = [{ sessionId: 'a b', createdAt: 0, updatedAt: 0, turns: 1 }];
    const api = await other.keyOf(me, { keyClass: 'standard' });
    expect((await api.get(`/interns/${id}/sessions?limit=5`)).json.data).toMatchObject([{ session_id: 'a b' }]);
    expect((await api.delete(`/interns/${id}/sessions/a%20b`)).status).toBe(204);
    expect((await api.delete(`/interns/${id}/sessions/a%20b`)).json).toEqual(refusal(404, 'not_found'));
  });

  it('relay requests of a console session, and refuse its requests from other origins', async () => {
    const { url } = await other.app.get(ConsoleCodes, { strict: false }).link(other.origin, me, 'operator');
    const browser = new ConsoleBrowser(other.origin);
    expect((await browser.signIn({ code: url.split('#code=')[1]! })).status).toBe(201);
    runtimes.of(id).stored = [{ sessionId: 'seen', createdAt: 0, updatedAt: 0, turns: 1 }];
    const listed = await browser.get(`/interns/${id}/sessions`);
    expect([listed.status, listed.json]).toMatchObject([200, { data: [{ session_id: 'seen' }] }]);
    const chat = `/console/api/v1/interns/${id}/chat/completions`;
    const talking = browser.send('POST', chat, { json: { ...user('From the console'), stream: true } });
    await eventually(() => Promise.resolve(expect(runtimes.turnOf(id).request.text).toBe('From the console')));
    runtimes.turnOf(id).say('Hello').end();
    expect((await talking).status).toBe(200);
    const forged = new ConsoleBrowser(other.origin, { origin: 'https://evil.example' });
    forged.cookie = browser.cookie;
    expect((await forged.send('POST', chat, { json: { ...user('forged'), stream: true } })).status).toBe(403);
    expect(runtimes.turnOf(id).request.text).toBe('From the console');
  });

  it('do not relay a request that was already relayed', async () => {
    const chat = await chatOf(other, me);
    const looped = await chat(id, user('x'), { 'x-gatehouse-relayed': '1' });
    expect([looped.status, await looped.json()]).toEqual([503, refusal(503, 'intern_not_ready', true)]);
  });

  it('return intern_unreachable if the address of the holder is wrong, intern_not_ready if it is missing', async () => {
    const setUrl = (url: string | null) =>
      holder.sql.query('update intern set replica_url = $2 where id = $1', [id, url]);
    const [row] = await holder.sql.query<{ url: string }>('select replica_url as url from intern where id = $1', [id]);
    const chat = await chatOf(other, me);
    await setUrl(`http://127.0.0.1:${await freePort()}`);
    const gone = await chat(id, user('x'));
    expect([gone.status, await gone.json()]).toEqual([502, refusal(502, 'intern_unreachable', true)]);
    await setUrl(null);
    const unknown = await chat(id, user('x'));
    // Not a 503, because the state lasts until REPLICA_URL is set, and clients retry a 503 automatically.
    expect([unknown.status, await unknown.json()]).toEqual([409, refusal(409, 'intern_not_ready', true)]);
    await setUrl(row!.url);
  });

  it('end a relayed stream with stream_severed after its last complete event if the connection breaks', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
    const piece = 'data: {"choices":[]}\n\ndata: {"cho';
    const breaking = createServer((socket) =>
      socket.once('data', () => {
        socket.write(`${head}${piece.length.toString(16)}\r\n${piece}\r\n`);
        setImmediate(() => socket.destroy());
      }),
    ).listen(0, '127.0.0.1');
    await once(breaking, 'listening');
    const [row] = await holder.sql.query<{ url: string }>('select replica_url as url from intern where id = $1', [id]);
    const url = `http://127.0.0.1:${(breaking.address() as AddressInfo).port}`;
    await holder.sql.query('update intern set replica_url = $2 where id = $1', [id, url]);
    const cut = await (await chatOf(other, me))(id, user('x', { session_id: 'mine' }));
    await cut.whole;
    expect(cut.chunks).toMatchObject([
      { choices: [] },
      { choices: [{ finish_reason: 'error' }], error: { code: 502, metadata: { reason: 'stream_severed' } } },
      { choices: [], session_id: 'mine', usage: null },
    ]);
    expect(cut.text.endsWith('data: [DONE]\n\n')).toBe(true);
    breaking.close();
    await holder.sql.query('update intern set replica_url = $2 where id = $1', [id, row!.url]);
  });
});

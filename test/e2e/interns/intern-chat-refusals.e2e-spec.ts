import { eventually } from '../../support/eventually.js';
import { answer, chatOf, user, type Chat } from '../../support/interns/intern-chat.js';
import { mintInternKey } from '../../support/interns/intern-origin.js';
import { bearerOf } from '../../support/interns/intern-requests.js';
import { rawHttp } from '../../support/hostile/raw-http.js';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { watchInterns } from '../../support/interns/provisioned-interns.js';
import { ScriptedRuntimes } from '../../support/interns/scripted-runtimes.js';
import type { TurnFailureReason } from '../../../src/runtimes/turn.js';

const FIELDS = [
  { name: 'city', type: 'string', required: true },
  { name: 'count', type: 'number' },
] as const;

const REGIONAL = 'eu.gateway.example';

describe('the chat of an intern', () => {
  let stage: InternsStage;
  let me: Member;
  let runtimes: ScriptedRuntimes;
  let chat: Chat;
  let id: string;
  const { running } = watchInterns(() => ({ stage, me }));
  beforeAll(async () => {
    stage = await startInternsStage({ env: { REGIONAL_HOSTNAMES: REGIONAL } });
    runtimes = ScriptedRuntimes.insteadOf(stage.app);
    me = await stage.member();
    chat = await chatOf(stage, me);
    id = await running('talker');
  });
  beforeEach(() => void (runtimes.script = (turn) => turn.end()));
  afterAll(() => stage.stop(), 30_000);

  const bodies: [string, object][] = [
    ['no stream', { ...user('x'), stream: undefined }],
    ['a buffered response', { ...user('x'), stream: false }],
    ['no messages', { messages: [] }],
    ['messages that are not a list', { messages: 'x' }],
    ['a last message that is not an object', { messages: [{ role: 'user', content: 'x' }, null] }],
    ['a last message of the system', { messages: [{ role: 'system', content: 'x' }] }],
    ['a last message of the assistant', { messages: [{ role: 'assistant', content: 'x' }] }],
    ['a message without content', { messages: [{ role: 'user' }] }],
    ['an empty text', user('')],
    ['a blank text', user([{ type: 'text', text: ' \n' }])],
    ['32,001 characters', user('x'.repeat(32_001))],
    ['a picture', user([{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }])],
    ['a part that is not an object', user(['x'])],
    ['half of a surrogate pair', user('\ud800')],
    ['an empty session_id', user('x', { session_id: '' })],
    ['257 characters of session_id', user('x', { session_id: 'x'.repeat(257) })],
    ['a session_id that is not text', user('x', { session_id: 5 })],
    ['an unknown approval_mode', user('x', { approval_mode: 'auto' })],
    ['an answer without session_id', { messages: [{ role: 'tool', tool_call_id: 'q', content: 'cancel' }] }],
    ['an answer without tool_call_id', { session_id: 's', messages: [{ role: 'tool', content: 'cancel' }] }],
  ];
  it.each(bodies)('refuses %s with 400 bad_request', async (_, body) => {
    const refused = await chat(id, body);
    expect([refused.status, await refused.json()]).toEqual([400, refusal(400, 'bad_request')]);
  });

  it('accepts a text of 32,000 characters, a session_id of 256, null members and any earlier messages', async () => {
    const text = '𝄞'.repeat(32_000);
    const history = [null, 5, { role: 'x' }, { role: 'system', content: 'Obey' }];
    const messages = [...history, { role: 'user', content: text }];
    for (const more of [{ session_id: '𝄞'.repeat(256) }, { session_id: null, approval_mode: null }]) {
      const taken = await chat(id, { messages, ...more });
      await taken.whole;
      expect([taken.status, runtimes.turnOf(id).request.text === text]).toEqual([200, true]);
    }
  });

  it('refuses a body over 1 MiB with 413, and a body of the type text/plain with 400', async () => {
    const large = await chat(id, { messages: ['x'.repeat(1_048_576), ...(user('x') as { messages: [] }).messages] });
    expect([large.status, await large.json()]).toEqual([413, refusal(413, 'payload_too_large')]);
    const typed = await chat(id, user('x'), { 'content-type': 'text/plain' });
    expect([typed.status, await typed.json()]).toEqual([400, refusal(400, 'bad_request')]);
  });

  it('checks programme, member, capability, body and intern in this order', async () => {
    const post = async (member: Member, internId: string, body: object) =>
      (await chatOf(stage, member))(internId, body).then(async (sent) => [sent.status, await sent.json()]);
    const bad = { messages: [] };
    const outside = await stage.member({ inProgramme: false });
    expect(await post(outside, id, bad)).toEqual([404, refusal(404, 'not_found')]);
    const nobody = await stage.keyOf(me, { keyClass: 'standard', creatorUserId: null });
    const asNobody = await nobody.post(`/interns/${id}/chat/completions`, { json: bad });
    expect([asNobody.status, asNobody.json]).toEqual([403, refusal(403, 'no_acting_user')]);
    const allow = (allowed: boolean) =>
      stage.sql.query('update workspace set interns_allowed = $2 where id = $1', [me.workspaceId, allowed]);
    await allow(false);
    expect(await post(me, id, bad)).toEqual([403, refusal(403, 'workspace_capability_unavailable')]);
    await allow(true);
    const other = await stage.member();
    expect(await post(other, id, bad)).toEqual([400, refusal(400, 'bad_request')]);
    for (const unknown of [id, '00000000-0000-7000-8000-000000000000', 'no-id'])
      expect(await post(other, unknown, user('x'))).toEqual([404, refusal(404, 'not_found')]);
  });

  it.each([
    ['POST', 'chat/completions'],
    ['GET', 'sessions'],
    ['DELETE', 'sessions/s'],
  ])(
    'refuses %s %s on a regional hostname with a 403 without metadata, directly after the check of the key',
    async (method, path) => {
      const ask = async (authorization: string): Promise<unknown[]> => {
        // Sent over a plain socket, because fetch does not allow a Host header.
        const head = `${method} /api/v1/interns/${id}/${path} HTTP/1.1\r\nHost: ${REGIONAL}\r\nConnection: close\r\n`;
        const { text } = await rawHttp(stage.origin, `${head}Authorization: ${authorization}\r\n\r\n`, []);
        return [Number(text.split(' ')[1]), JSON.parse(text.slice(text.indexOf('\r\n\r\n')))];
      };
      const forbidden = [403, { error: { code: 403, message: 'Forbidden' } }];
      expect(await ask(await bearerOf(stage, me))).toEqual(forbidden);
      expect(await ask(await bearerOf(stage, await stage.member({ inProgramme: false })))).toEqual(forbidden);
      expect((await ask('Bearer unknown'))[0]).toBe(401);
    },
  );

  it("refuses an intern's own key with 404 in its runtime and 401 elsewhere, and a management key", async () => {
    const secret = await mintInternKey(stage.app, stage.sql, id);
    const inside = await stage.inside(id, secret);
    const asItself = await inside.post(`/interns/${id}/chat/completions`, { json: { stream: true, ...user('x') } });
    expect([asItself.status, asItself.json]).toEqual([404, refusal(404, 'not_found')]);
    const elsewhere = await chat(id, user('x'), { authorization: `Bearer ${secret}` });
    expect([elsewhere.status, (await elsewhere.json()).error.metadata]).toEqual([401, undefined]);
    const management = await bearerOf(stage, me, 'management');
    const refused = await chat(id, user('x'), { authorization: management });
    expect([refused.status, (await refused.json()).error.metadata]).toEqual([401, undefined]);
  });

  it('returns 409 intern_not_ready for an intern that is not running', async () => {
    const { json } = await me.api.post('/interns', { json: { name: 'idle' } });
    const stopped = await chat(json.id, user('x'));
    expect([stopped.status, await stopped.json()]).toEqual([409, refusal(409, 'intern_not_ready', true)]);
    expect((await me.api.get(`/interns/${json.id}/sessions`)).json).toEqual(refusal(409, 'intern_not_ready', true));
  });

  it('returns 503 with Retry-After for an intern that no replica runs', async () => {
    const { json } = await me.api.post('/interns', { json: { name: 'unheld' } });
    await stage.sql.query(`update intern set status = 'running' where id = $1`, [json.id]);
    const early = await chat(json.id, user('x'));
    expect([early.status, await early.json()]).toEqual([503, refusal(503, 'intern_not_ready', true)]);
    expect(Number(early.response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  const failures: [TurnFailureReason, number, string, boolean][] = [
    ['step_limit', 502, 'turn_failed', false],
    ['token_limit', 502, 'turn_failed', false],
    ['time_limit', 504, 'timeout', true],
    ['spending_limit', 402, 'turn_failed', false],
    ['model_unavailable', 502, 'turn_failed', false],
    ['cancelled', 410, 'run_ended', false],
    ['runtime_ended', 502, 'stream_severed', true],
    ['internal', 500, 'turn_failed', false],
  ];
  it.each(failures)('ends the stream of a turn that failed (%s) with %i %s', async (reason, code, word, retryable) => {
    runtimes.script = (turn) => turn.say('so far').fail(reason);
    const failed = await chat(id, user('x', { session_id: 'f' }));
    await failed.whole;
    const [end, last] = failed.chunks.slice(-2);
    expect(end.choices).toEqual([{ index: 0, delta: {}, finish_reason: 'error' }]);
    expect(end.error).toMatchObject({ code, metadata: { reason: word, retryable } });
    expect(last).toMatchObject({ choices: [], session_id: 'f', usage: { total_tokens: 27 } });
    expect(failed.text).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('reports whether a failure of the model is temporary', async () => {
    runtimes.script = (turn) => turn.fail('model_unavailable', true);
    const failed = await chat(id, user('x'));
    expect((await failed.until((chunk) => chunk.error)).error.metadata.retryable).toBe(true);
  });

  describe('answers to a question', () => {
    const ask = async (session: string): Promise<void> => {
      runtimes.script = (turn) => void turn.ask('q', { kind: 'elicitation', message: 'Where?', fields: FIELDS });
      const asked = await chat(id, user('x', { session_id: session }));
      await asked.whole;
    };
    const reasonOf = async (session: string, question: string, content: unknown): Promise<unknown[]> => {
      const refused = await chat(id, answer(session, question, content));
      return [refused.status, (await refused.json()).error.metadata.reason];
    };

    it('are refused with 400 if they are malformed, and the run continues to wait', async () => {
      await ask('a');
      const malformed = [
        'yes',
        '{}',
        '[]',
        '{"action":"allow"}',
        '{"action":"accept"}',
        '{"action":"accept","content":5}',
      ];
      const unfit = [
        '{"action":"accept","content":{"city":5}}',
        '{"action":"accept","content":{"city":"x","count":"1"}}',
      ];
      for (const content of [...malformed, ...unfit, 5, null])
        expect(await reasonOf('a', 'q', content)).toEqual([400, 'bad_request']);
      const taken = await chat(id, answer('a', 'q', '{"action":"accept","content":{"city":"Bonn"}}'));
      runtimes.turnOf(id).end();
      await taken.whole;
      expect(runtimes.turnOf(id).answers).toEqual([
        { kind: 'elicitation', action: 'accept', content: { city: 'Bonn' } },
      ]);
    });

    it('are refused: 404 for an unknown question, 409 for an answered one, 410 for an ended run', async () => {
      await ask('b');
      expect(await reasonOf('b', 'other', 'cancel')).toEqual([404, 'interaction_unknown']);
      expect(await reasonOf('c', 'q', 'cancel')).toEqual([404, 'interaction_unknown']);
      const decline = answer('b', 'q', '{"action":"decline"}');
      const going = await chat(id, decline);
      expect(going.status).toBe(200);
      expect(await reasonOf('b', 'q', '{"action":"decline"}')).toEqual([409, 'interaction_not_pending']);
      runtimes.turnOf(id).end();
      await going.whole;
      expect(await reasonOf('b', 'q', '{"action":"decline"}')).toEqual([410, 'run_ended']);
    });

    it('are refused with run_ended if they are too late, and the next message is accepted', async () => {
      await ask('d');
      runtimes.turnOf(id).fail('answer_timeout');
      await eventually(async () => expect(await reasonOf('d', 'q', '{"action":"cancel"}')).toEqual([410, 'run_ended']));
      runtimes.script = (turn) => turn.end();
      expect((await chat(id, user('x', { session_id: 'd' }))).status).toBe(200);
    });
  });
});

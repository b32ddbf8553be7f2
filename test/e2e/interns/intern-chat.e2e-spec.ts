import { eventually } from '../../support/eventually.js';
import { answer, chatOf, user, type Chat } from '../../support/interns/intern-chat.js';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { watchInterns } from '../../support/interns/provisioned-interns.js';
import { ScriptedRuntimes } from '../../support/interns/scripted-runtimes.js';

const PERMISSION = { kind: 'permission', operation: 'GET https://a.example/', options: ['allow_once', 'reject_once'] };

describe('the chat of an intern', () => {
  let stage: InternsStage;
  let me: Member;
  let runtimes: ScriptedRuntimes;
  let chat: Chat;
  let id: string;
  const { running } = watchInterns(() => ({ stage, me }));
  beforeAll(async () => {
    stage = await startInternsStage();
    runtimes = ScriptedRuntimes.insteadOf(stage.app);
    me = await stage.member();
    chat = await chatOf(stage, me);
    id = await running('talker');
  });
  beforeEach(() => void (runtimes.script = () => undefined));
  afterAll(() => stage.stop(), 30_000);

  const idle = () =>
    eventually(async () => {
      const response = await chat(id, user('again', { session_id: 'idle' }));
      expect(response.status).toBe(200);
      runtimes.turnOf(id).end();
      await response.whole;
    });

  it('streams role, reasoning, text and finish, and then session and usage in a chunk without choices', async () => {
    runtimes.script = (turn) => turn.think('hm').say('Good ').say('day').end('author/model');
    const response = await chat(
      id,
      user([
        { type: 'text', text: 'Hel' },
        { type: 'text', text: 'lo' },
      ]),
    );
    await response.whole;
    expect([response.status, response.response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    const [first] = response.chunks;
    const head = { id: first.id, object: 'chat.completion.chunk', created: first.created, model: 'gatehouse/intern' };
    const choice = (delta: object, finish_reason: string | null = null) => ({
      choices: [{ index: 0, delta, finish_reason }],
    });
    const { request } = runtimes.turnOf(id);
    expect(response.chunks).toEqual([
      { ...head, ...choice({ role: 'assistant' }) },
      { ...head, ...choice({ reasoning: 'hm' }) },
      { ...head, ...choice({ content: 'Good ' }) },
      { ...head, ...choice({ content: 'day' }) },
      { ...head, model: 'author/model', ...choice({}, 'stop') },
      {
        ...head,
        model: 'author/model',
        choices: [],
        session_id: request.sessionId,
        usage: {
          prompt_tokens: 20,
          completion_tokens: 7,
          total_tokens: 27,
          prompt_tokens_details: { cached_tokens: 5 },
          cost: 0.25,
        },
      },
    ]);
    expect(response.text).toMatch(/\n\ndata: \[DONE\]\n\n$/);
    expect(request).toMatchObject({ text: 'Hello', approvalMode: 'self-drive', allowedHosts: [] });
    expect(request.limits).toEqual({ steps: 50, activeMs: 300_000, tokens: 2_000_000, answerMs: 300_000 });
  });

  it('runs in the session and the approval mode of the request', async () => {
    runtimes.script = (turn) => turn.end();
    const response = await chat(id, user('x', { session_id: 'mine', approval_mode: 'manual', model: 5, tools: 'no' }));
    await response.whole;
    expect(runtimes.turnOf(id).request).toMatchObject({ sessionId: 'mine', approvalMode: 'manual' });
    expect(response.chunks.at(-1)).toMatchObject({ choices: [], session_id: 'mine' });
  });

  it('passes a message to the running turn of its session, and refuses messages of other sessions', async () => {
    const first = await chat(id, user('one', { session_id: 's' }));
    const second = await chat(id, user('two', { session_id: 's' }));
    expect([second.status, await second.json()]).toEqual([202, { session_id: 's', status: 'steered' }]);
    expect(runtimes.turnOf(id).steered).toEqual(['two']);
    for (const more of [{ session_id: 'other' }, {}]) {
      const refused = await chat(id, user('three', more));
      expect([refused.status, Number(refused.response.headers.get('retry-after'))]).toEqual([409, expect.any(Number)]);
      expect((await refused.json()).error.metadata).toEqual({ reason: 'busy', retryable: true });
    }
    runtimes.turnOf(id).say('done').end();
    expect(await first.content()).toBe('done');
  });

  it('starts one turn for 100 simultaneous messages of one session, and passes 99 of them to that turn', async () => {
    const turnsBefore = runtimes.of(id).turns.length;
    const messages = Array.from({ length: 100 }, (_, at) => chat(id, user(`m${at}`, { session_id: 'crowd' })));
    const responses = await Promise.all(messages);
    const streams = responses.filter(({ status }) => status === 200);
    expect([streams.length, responses.filter(({ status }) => status === 202).length]).toEqual([1, 99]);
    const turn = runtimes.turnOf(id);
    expect(runtimes.of(id).turns.length).toBe(turnsBefore + 1);
    expect(new Set([turn.request.text, ...turn.steered]).size).toBe(100);
    turn.end();
    await streams[0]!.whole;
  });

  it('lets one of a hundred simultaneous sessions run, and refuses the others as busy', async () => {
    const messages = Array.from({ length: 100 }, (_, at) => chat(id, user('x', { session_id: `s${at}` })));
    const statuses = (await Promise.all(messages)).map(({ status }) => status);
    expect([statuses.filter((each) => each === 200).length, statuses.filter((each) => each === 409).length]).toEqual([
      1, 99,
    ]);
    runtimes.turnOf(id).end();
    await idle();
  });

  it('ends the stream with a question, and continues with the answer in the next stream', async () => {
    runtimes.script = (turn) => turn.say('May I?').ask('q1', PERMISSION as never);
    const asked = await chat(id, user('fetch', { session_id: 'q' }));
    await asked.whole;
    const [call, finish, last] = asked.chunks.slice(-3);
    expect(call.choices[0]).toEqual({
      index: 0,
      delta: {
        tool_calls: [
          {
            index: 0,
            id: 'q1',
            type: 'function',
            function: { name: 'openrouter.provide_input', arguments: JSON.stringify(PERMISSION) },
          },
        ],
      },
      finish_reason: null,
    });
    expect(finish.choices[0]).toEqual({ index: 0, delta: {}, finish_reason: 'tool_calls' });
    expect(last).toMatchObject({ choices: [], session_id: 'q', usage: null });
    expect((await chat(id, user('hurry', { session_id: 'q' }))).status).toBe(202);
    const going = await chat(id, answer('q', 'q1', 'allow_once'));
    runtimes.turnOf(id).say('Read.').end();
    expect(await going.content()).toBe('Read.');
    expect(runtimes.turnOf(id).answers).toEqual([{ kind: 'permission', option: 'allow_once' }]);
    expect(runtimes.turnOf(id).isCancelled).toBe(false);
    expect(going.chunks[0].id).not.toBe(asked.chunks[0].id);
  });

  it('cancels the run of a caller who leaves in mid-stream, and is busy until the run has ended', async () => {
    runtimes.script = (turn) => {
      turn.endsOnCancel = false;
      turn.say('working');
    };
    const leaving = await chat(id, user('long', { session_id: 'gone' }));
    await leaving.until((chunk) => chunk.choices[0]?.delta.content);
    const turn = runtimes.turnOf(id);
    leaving.leave();
    await eventually(async () => expect(turn.isCancelled).toBe(true));
    const early = await chat(id, user('next', { session_id: 'gone' }));
    expect([early.status, (await early.json()).error.metadata.reason]).toEqual([409, 'busy']);
    expect(turn.steered).toEqual([]);
    turn.fail('cancelled');
    await idle();
  });

  it('sends stream_severed in the stream when the runtime ends, and accepts messages when it runs again', async () => {
    const cut = await chat(id, user('x', { session_id: 'cut' }));
    const runtime = runtimes.of(id);
    await runtime.stop();
    await cut.whole;
    const [end, last] = cut.chunks.slice(-2);
    expect(end.choices[0].finish_reason).toBe('error');
    expect(end.error).toEqual({
      code: 502,
      message: 'scripted: runtime_ended',
      metadata: { reason: 'stream_severed', retryable: true },
    });
    expect(last).toMatchObject({ choices: [], session_id: 'cut' });
    await eventually(async () => expect(runtimes.of(id)).not.toBe(runtime), 20_000);
    await idle();
  });

  it('audits the start of each run with the member whose key sent the message', async () => {
    runtimes.script = (turn) => turn.end();
    await (
      await chat(id, user('x'))
    ).whole;
    const [entry] = await stage.sql.query<object>(
      `select action, actor, user_id as "userId" from audit_entry
       where resource_kind = 'intern_run' and resource_id = $1`,
      [`${id}/${runtimes.turnOf(id).request.turnId}`],
    );
    expect(entry).toEqual({ action: 'start', actor: 'key', userId: me.userId });
  });

  it.each([
    [PERMISSION, 'allow_once', 'allow'],
    [PERMISSION, 'reject_once', 'reject'],
    [PERMISSION, 'cancel', 'reject'],
    [{ kind: 'elicitation', message: 'Where?', fields: [] }, '{"action":"accept","content":{"city":"Bonn"}}', 'answer'],
  ] as const)('audits one answer to the question %j: the answer %s as the action %s of the member', async (...row) => {
    const [question, content, action] = row;
    const questionId = `q-${action}-${content.length}`;
    runtimes.script = (turn) => void turn.ask(questionId, question as never);
    await (
      await chat(id, user('x', { session_id: 'audited' }))
    ).whole;
    for (const unfit of ['perhaps', content]) {
      const reading = await chat(id, answer('audited', questionId, unfit));
      if (unfit === content) runtimes.turnOf(id).end();
      await reading.whole;
    }
    const entries = await stage.sql.query<object>(
      `select action, actor, user_id as "userId", resource_id as id from audit_entry
       where resource_kind = 'intern_question' and resource_id = $1`,
      [`${id}/${questionId}`],
    );
    expect(entries).toEqual([{ action, actor: 'key', userId: me.userId, id: `${id}/${questionId}` }]);
    await idle();
  });
});

import { chatOf, user } from '../../support/interns/intern-chat.js';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { watchInterns } from '../../support/interns/provisioned-interns.js';
import { ScriptedRuntimes } from '../../support/interns/scripted-runtimes.js';

const at = (second: number): number => Date.UTC(2026, 0, 1, 0, 0, second);

describe('/interns/{id}/sessions', () => {
  let stage: InternsStage;
  let me: Member;
  let runtimes: ScriptedRuntimes;
  let id: string;
  const { running } = watchInterns(() => ({ stage, me }));
  beforeAll(async () => {
    stage = await startInternsStage();
    runtimes = ScriptedRuntimes.insteadOf(stage.app);
    me = await stage.member();
    id = await running('keeper');
  });
  beforeEach(() => {
    runtimes.of(id).stored = ['b', 'a/ä?', 'c'].map((sessionId, index) => ({
      sessionId,
      createdAt: at(index === 2 ? 0 : 9),
      updatedAt: at(30 + index),
      turns: index,
    }));
  });
  afterAll(() => stage.stop(), 30_000);

  it('lists sessions newest first, page by page', async () => {
    const path = `/interns/${id}/sessions`;
    const { json: all } = await me.api.get(path);
    expect(all).toEqual({
      data: [
        { session_id: 'b', created_at: '2026-01-01T00:00:09.000Z', updated_at: '2026-01-01T00:00:30.000Z', turns: 0 },
        {
          session_id: 'a/ä?',
          created_at: '2026-01-01T00:00:09.000Z',
          updated_at: '2026-01-01T00:00:31.000Z',
          turns: 1,
        },
        { session_id: 'c', created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:32.000Z', turns: 2 },
      ],
      has_more: false,
    });
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { json } = await me.api.get(`${path}?limit=1${cursor}`);
      seen.push(...json.data.map((session: { session_id: string }) => session.session_id));
      expect(json.has_more).toBe(json.next_cursor !== undefined);
      if (!json.has_more) break;
      cursor = `&starting_after=${json.next_cursor}`;
    }
    expect(seen).toEqual(['b', 'a/ä?', 'c']);
  });

  it('refuses a limit outside 1 to 500 and a cursor of another list', async () => {
    for (const query of ['limit=0', 'limit=501', 'starting_after=YWZ0ZXI6MQ', 'starting_after=']) {
      const { status, json } = await me.api.get(`/interns/${id}/sessions?${query}`);
      expect([query, status, json]).toEqual([query, 400, refusal(400, 'invalid_body')]);
    }
  });

  it('deletes a session with 204 and an audit row, and returns 404 for an unknown session', async () => {
    const path = `/interns/${id}/sessions/${encodeURIComponent('a/ä?')}`;
    expect((await me.api.delete(path)).status).toBe(204);
    expect(runtimes.of(id).stored.map(({ sessionId }) => sessionId)).toEqual(['b', 'c']);
    expect((await me.api.delete(path)).json).toEqual(refusal(404, 'not_found'));
    const entries = await stage.sql.query(
      `select 1 from audit_entry where resource_kind = 'intern_session' and action = 'delete' and resource_id = $1`,
      [`${id}/a/ä?`],
    );
    expect(entries).toHaveLength(1);
  });

  it('returns 409 busy for the deletion of the session of a current run', async () => {
    const talking = await (await chatOf(stage, me))(id, user('x', { session_id: 'b' }));
    const refused = await me.api.delete(`/interns/${id}/sessions/b`);
    expect([refused.status, refused.json]).toEqual([409, refusal(409, 'busy', true)]);
    expect((await me.api.delete(`/interns/${id}/sessions/c`)).status).toBe(204);
    runtimes.turnOf(id).end();
    await talking.whole;
    expect((await me.api.delete(`/interns/${id}/sessions/b`)).status).toBe(204);
  });

  it('returns 404 for the sessions of an intern of another member', async () => {
    const other = await stage.member({ accountOf: me });
    for (const { status, json } of [
      await other.api.get(`/interns/${id}/sessions`),
      await other.api.delete(`/interns/${id}/sessions/b`),
    ])
      expect([status, json]).toEqual([404, refusal(404, 'not_found')]);
  });

  it('returns intern_unreachable if the runtime does not list the sessions', async () => {
    const runtime = runtimes.of(id);
    const sessions = runtime.sessions.bind(runtime);
    runtime.sessions = async () => Promise.reject(new Error('it ended'));
    const refused = await me.api.get(`/interns/${id}/sessions`);
    expect([refused.status, refused.json]).toEqual([502, refusal(502, 'intern_unreachable', true)]);
    runtime.sessions = sessions;
  });
});

import { randomUUID } from 'node:crypto';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';

/** INTERN_RUNTIME is none, so that only the test changes a status. */
describe('reading interns (docs/api-rules.md, section 10)', () => {
  let stage: InternsStage;
  let me: Member;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { INTERN_RUNTIME: 'none', INTERN_LIMIT_PER_MEMBER: '50' } });
  });
  afterAll(() => stage.stop());
  beforeEach(async () => {
    me = await stage.member();
  });
  const createIntern = async (name = 'ab', fields: object = {}): Promise<string> =>
    (await me.api.post('/interns', { json: { name, ...fields } })).json.id;
  const setStatus = (id: string, status: string) =>
    stage.sql.query('update intern set status = $2 where id = $1', [id, status]);
  const statusOf = async (id: string): Promise<string> => (await me.api.get(`/interns/${id}`)).json.status;

  describe('GET /interns', () => {
    it('lists the newest interns first, page by page with a cursor', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 5; n++) ids.unshift(await createIntern(`intern-${n}`));
      const first = await me.api.get('/interns?limit=2');
      const second = await me.api.get(`/interns?limit=2&starting_after=${first.json.next_cursor}`);
      const third = await me.api.get(`/interns?limit=2&starting_after=${second.json.next_cursor}`);
      expect(
        [first, second, third].flatMap(({ json }) => json.data.map((intern: { id: string }) => intern.id)),
      ).toEqual(ids);
      expect([first, second, third].map(({ json }) => [json.has_more, 'next_cursor' in json])).toEqual([
        [true, true],
        [true, true],
        [false, false],
      ]);
    });

    it('filters by status, with the names of both dialects', async () => {
      const [stopped, waiting, running] = [
        await createIntern('stopped'),
        await createIntern('waiting'),
        await createIntern('running'),
      ];
      await setStatus(waiting, 'awaiting_chat_install');
      await setStatus(running, 'running');
      const ids = async (query: string): Promise<string[]> =>
        (await me.api.get(`/interns?status=${query}`)).json.data.map((intern: { id: string }) => intern.id);
      expect(await ids('running,stopped')).toEqual([running, stopped]);
      expect(await ids('awaiting_slack_install')).toEqual([waiting]);
      expect(await ids('awaiting_chat_install')).toEqual([waiting]);
    });

    it.each([
      'limit=0',
      'limit=501',
      'limit=x',
      'status=',
      'status=asleep',
      `status=${Array(9).fill('running').join(',')}`,
      'starting_after=x',
      'workspace_id=x',
    ])('returns 400 for ?%s', async (query) => {
      expect((await me.api.get(`/interns?${query}`)).json).toEqual(refusal(400, 'invalid_body'));
    });

    it('returns 404 for an unknown workspace, and lists only the interns of the member', async () => {
      await createIntern();
      const colleague = await stage.member({ accountOf: me });
      expect((await colleague.api.get('/interns')).json).toEqual({ data: [], has_more: false });
      expect((await me.api.get(`/interns?workspace_id=${randomUUID()}`)).json).toEqual(refusal(404, 'not_found'));
      expect((await me.api.get(`/interns?workspace_id=${me.workspaceId}`)).json.data).toHaveLength(1);
    });
  });

  it('GET /interns/{id} shows the active step of provisioning, and null for a running intern', async () => {
    const id = await createIntern();
    await stage.sql.query(`update intern set status = 'provisioning', progress_step = 2 where id = $1`, [id]);
    expect((await me.api.get(`/interns/${id}`)).json.progress).toEqual({
      step_label: 'Preparing its disk',
      step_number: 2,
      total_steps: 6,
    });
    await setStatus(id, 'running');
    expect((await me.api.get(`/interns/${id}`)).json.progress).toBeNull();
    expect(await statusOf(id)).toBe('running');
  });
});

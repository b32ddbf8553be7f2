import { Provisioner } from '../../../src/interns/work/provisioner.js';
import { eventually } from '../../support/eventually.js';
import { chatOf, user, type Chat } from '../../support/interns/intern-chat.js';
import { refusal, startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';

/** A state that lasts until an operator acts must not return a 5xx, which published clients retry for an hour. */
describe('interns of a service without a replica that runs interns', () => {
  let stage: InternsStage;
  let me: Member;
  let chat: Chat;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { INTERN_RUNTIME: 'none', INTERN_MOVE_TIMEOUT_MS: '0' } });
    me = await stage.member();
    chat = await chatOf(stage, me);
  });
  afterAll(() => stage.stop());

  const provisioned = async (name: string): Promise<string> =>
    (await me.api.post('/interns', { json: { name, provision: true } })).json.id;
  const dueSince = (id: string, seconds: number) =>
    stage.sql.query('update intern set wake_at = clock_timestamp() - $2 * interval $$1 second$$ where id = $1', [
      id,
      seconds,
    ]);
  const refusalOf = async (id: string): Promise<unknown[]> => {
    const refused = await chat(id, user('x'));
    return [refused.status, await refused.json()];
  };

  it.each(['queued', 'running'])('that are %s answer a chat with 503 for 30 s, and then with 409', async (status) => {
    const id = await provisioned(`one-${status}`);
    await stage.sql.query('update intern set status = $2 where id = $1', [id, status]);
    await dueSince(id, 20);
    expect(await refusalOf(id)).toEqual([503, refusal(503, 'intern_not_ready', true)]);
    await dueSince(id, 31);
    expect(await refusalOf(id)).toEqual([409, refusal(409, 'intern_not_ready', true)]);
    expect((await me.api.get(`/interns/${id}/sessions`)).json).toEqual(refusal(409, 'intern_not_ready', true));
  });

  it.each([
    ['queued', 'failed'],
    ['provisioning', 'failed'],
    ['destroying', 'destroy_failed'],
  ])(
    'that are %s past their deadline become %s, and leave their remains to a replica that runs interns',
    async (status, rest) => {
      const id = await provisioned(`late-${status}`);
      await stage.sql.query(
        `update intern set status = $2, booted_fence = 1, deadline = clock_timestamp() - interval '1 second'
       where id = $1`,
        [id, status],
      );
      await dueSince(id, 1);
      stage.app.get(Provisioner, { strict: false }).poll();
      await eventually(async () => expect((await me.api.get(`/interns/${id}`)).json.status).toBe(rest));
      expect(
        await stage.sql.query('select booted_fence, wake_at is null as "isLeft" from intern where id = $1', [id]),
      ).toEqual([{ booted_fence: 1, isLeft: false }]);
    },
  );

  it('that are within their deadline stay queued', async () => {
    const [queued, late] = [await provisioned('patient'), await provisioned('late')];
    await stage.sql.query(`update intern set deadline = clock_timestamp() - interval '1 second' where id = $1`, [late]);
    stage.app.get(Provisioner, { strict: false }).poll();
    await eventually(async () => expect((await me.api.get(`/interns/${late}`)).json.status).toBe('failed'));
    expect((await me.api.get(`/interns/${queued}`)).json.status).toBe('queued');
  });
});

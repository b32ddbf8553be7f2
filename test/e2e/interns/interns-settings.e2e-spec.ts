import { refusal, startInternsStage } from '../../support/interns/interns-stage.js';
import { eventually } from '../../support/eventually.js';

describe('the interns group', () => {
  it('returns 404 for every write while INTERN_WRITES_ENABLED is false, and still allows reads', async () => {
    const stage = await startInternsStage({ env: { INTERN_WRITES_ENABLED: 'false' } });
    try {
      const me = await stage.member();
      const answers = [
        await me.api.post('/interns', { body: 'x', headers: { 'content-type': 'text/plain' } }),
        await me.api.patch('/interns/x', { json: {} }),
        await me.api.delete('/interns/x'),
        await me.api.post('/interns/x/provision'),
        await me.api.post('/interns/x/suspend'),
      ];
      for (const answer of answers) expect(answer.json).toEqual(refusal(404, 'not_found'));
      expect((await me.api.get('/interns')).status).toBe(200);
    } finally {
      await stage.stop();
    }
  });

  it('shows awaiting_slack_install with INTERN_CHAT_INSTALL_REQUIRED and WIRE_DIALECT=openrouter', async () => {
    const stage = await startInternsStage({
      env: { INTERN_CHAT_INSTALL_REQUIRED: 'true', WIRE_DIALECT: 'openrouter', INTERN_RUNTIME: 'none' },
    });
    try {
      const me = await stage.member();
      expect((await me.api.post('/interns', { json: { name: 'ab' } })).json.status).toBe('awaiting_slack_install');
      expect((await me.api.post('/interns', { json: { name: 'cd', provision: true } })).json.status).toBe('queued');
    } finally {
      await stage.stop();
    }
  });

  it('returns 500 configuration_error, which is not retryable, if the database has another master key', async () => {
    const stage = await startInternsStage();
    try {
      const me = await stage.member();
      await stage.sql.query(`update master_key set id = '0123456789abcdef'`);
      await eventually(async () => expect((await fetch(`${stage.origin}/readyz`)).status).toBe(503), 20_000);
      expect((await me.api.post('/interns', { json: { name: 'ab' } })).json).toEqual(
        refusal(500, 'configuration_error', false),
      );
      expect(await stage.sql.query('select 1 from intern_creation')).toEqual([]);
    } finally {
      await stage.stop();
    }
  });
});

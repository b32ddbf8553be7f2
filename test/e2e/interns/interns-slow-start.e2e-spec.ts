import { RuntimeDriver } from '../../../src/runtimes/runtime.driver.js';
import { eventually } from '../../support/eventually.js';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { watchInterns } from '../../support/interns/provisioned-interns.js';
import { ScriptedRuntimes } from '../../support/interns/scripted-runtimes.js';

describe('a runtime with a slow engine', () => {
  let stage: InternsStage;
  let me: Member;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { INTERN_LEASE_MS: '4000' } });
    me = await stage.member();
  });
  afterAll(() => stage.stop(), 30_000);
  const { untilIs } = watchInterns(() => ({ stage, me }));

  it('receives the current end of the lease, not the end that was current when its start began', async () => {
    const scripted = ScriptedRuntimes.insteadOf(stage.app);
    const driver = stage.app.get(RuntimeDriver, { strict: false });
    driver.start = async (boot) => {
      const first = boot.until();
      await eventually(async () => expect(boot.until()).toBeGreaterThan(first), 10_000);
      return scripted.start(boot);
    };
    const { json } = await me.api.post('/interns', { json: { name: 'ab', provision: true } });
    await untilIs(json.id, 'running');
  }, 60_000);
});

import { setTimeout as sleep } from 'node:timers/promises';
import { brokenDockerEngine, ENGINE_FAULTS, type BrokenEngine } from '../../support/engines/broken-docker-engine.js';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const PROVISION_WITHIN_MS = 2_000;
const DESTROY_WITHIN_MS = 3_000;
/** Additional time for the test itself: HTTP, the queue, and a busy machine. */
const SLACK_MS = 4_000;

const CAUSES = {
  absent: /Docker Engine at .*absent\.sock .*ENOENT/,
  refusing: /Docker Engine at .*refusing\.sock .*ECONNREFUSED/,
  silent: /Docker Engine at .*silent\.sock does not respond/,
  closing: /Docker Engine at .*closing\.sock/,
  failing: /Docker Engine at .*failing\.sock .*the disk of the engine is full/,
  'talking nonsense': /Docker Engine at .*talking-nonsense\.sock/,
  stalling: /Docker Engine at .*stalling\.sock does not respond/,
} as const;

describe.each(ENGINE_FAULTS)('interns while the Docker Engine is %s', (fault) => {
  let folder: TemporaryFolder;
  let engine: BrokenEngine;
  let stage: InternsStage;
  let me: Member;
  beforeAll(async () => {
    folder = await temporaryFolder();
    engine = await brokenDockerEngine(fault, folder.path);
    stage = await startInternsStage({
      env: {
        INTERN_RUNTIME: 'docker',
        INTERN_DOCKER_SOCKET: engine.socketPath,
        INTERN_PROVISION_TIMEOUT_MS: String(PROVISION_WITHIN_MS),
        INTERN_LEASE_MS: '3000',
        INTERN_LIMIT_PER_MEMBER: '50',
      },
    });
    me = await stage.member();
  }, 60_000);
  afterAll(async () => {
    // The service must stop in time without the engine too.
    const since = performance.now();
    await stage.stop();
    const took = performance.now() - since;
    await engine.close();
    await folder.remove();
    expect(took).toBeLessThan(20_000);
  }, 60_000);

  // oxlint-disable-next-line typescript/no-explicit-any
  const get = async (id: string): Promise<any> => (await me.api.get(`/interns/${id}`)).json;
  // oxlint-disable-next-line typescript/no-explicit-any
  const untilIs = async (id: string, status: string, ms: number): Promise<any> => {
    for (const end = performance.now() + ms; ; await sleep(50)) {
      const intern = await get(id);
      if (intern.status === status) return intern;
      if (performance.now() > end) throw new Error(`still ${intern.status} after ${ms} ms: ${JSON.stringify(intern)}`);
    }
  };

  it('created with provision true fail in time, name the cause, and fail in the same way after a retry', async () => {
    const { json } = await me.api.post('/interns', { json: { name: 'never-boots', provision: true } });
    const failed = await untilIs(json.id, 'failed', PROVISION_WITHIN_MS + SLACK_MS);
    expect(failed).toMatchObject({ last_failure_message: expect.stringMatching(CAUSES[fault]), progress: null });
    expect((await me.api.post(`/interns/${json.id}/provision`)).status).toBe(202);
    expect(await untilIs(json.id, 'failed', PROVISION_WITHIN_MS + SLACK_MS)).toMatchObject({
      last_failure_message: expect.stringMatching(CAUSES[fault]),
    });
  }, 60_000);

  it('all fail in time, even if they are more than the worker processes at once', async () => {
    const others = await Promise.all(
      ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9'].map((name) =>
        me.api.post('/interns', { json: { name, provision: true } }),
      ),
    );
    const ids = others.map(({ json }) => json.id as string);
    await Promise.all(ids.map((id) => untilIs(id, 'failed', 3 * PROVISION_WITHIN_MS + SLACK_MS)));
  }, 60_000);

  it('whose runtime may exist also fail in time, and are checked later for a remaining runtime', async () => {
    const { json } = await me.api.post('/interns', { json: { name: 'was-running' } });
    await stage.sql.query(
      `update intern set status = 'provisioning', booted_fence = fence, wake_at = clock_timestamp(),
         deadline = clock_timestamp() + interval '${PROVISION_WITHIN_MS} milliseconds'
       where id = $1`,
      [json.id],
    );
    expect(await untilIs(json.id, 'failed', PROVISION_WITHIN_MS + SLACK_MS)).toMatchObject({
      last_failure_message: expect.stringMatching(CAUSES[fault]),
    });
    const [row] = await stage.sql.query(
      `select booted_fence is not null as "mayRun", wake_at > clock_timestamp() as "isLookedForLater", lease_until
       from intern
       where id = $1`,
      [json.id],
    );
    expect(row).toEqual({ mayRun: true, isLookedForLater: true, lease_until: null });
  }, 60_000);

  it('that are already past their deadline fail at once', async () => {
    const { json } = await me.api.post('/interns', { json: { name: 'too-late' } });
    await stage.sql.query(
      `update intern set status = 'provisioning', booted_fence = fence, wake_at = clock_timestamp(),
         deadline = clock_timestamp()
       where id = $1`,
      [json.id],
    );
    await untilIs(json.id, 'failed', SLACK_MS);
  }, 60_000);

  it('that are deleted become destroy_failed in time, name the cause, and may be deleted again', async () => {
    const { json } = await me.api.post('/interns', { json: { name: 'goes' } });
    // The same change as by DELETE, except for the deadline.
    await stage.sql.query(
      `update intern set status = 'destroying', fence = fence + 1, wake_at = clock_timestamp(),
         deadline = clock_timestamp() + interval '${DESTROY_WITHIN_MS} milliseconds'
       where id = $1`,
      [json.id],
    );
    expect(await untilIs(json.id, 'destroy_failed', DESTROY_WITHIN_MS + SLACK_MS)).toMatchObject({
      last_failure_message: expect.stringMatching(CAUSES[fault]),
    });
    expect((await me.api.delete(`/interns/${json.id}`)).status).toBe(202);
  }, 60_000);
});

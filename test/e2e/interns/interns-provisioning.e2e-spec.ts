import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../../src/runtimes/drivers/process-table.js';
import { RuntimeDriver } from '../../../src/runtimes/runtime.driver.js';
import { startInternsStage, type InternsStage, type Member } from '../../support/interns/interns-stage.js';
import { watchInterns } from '../../support/interns/provisioned-interns.js';

/** The complete life cycle of interns, on the process driver. */
describe('the life cycle of an intern:', () => {
  let stage: InternsStage;
  let me: Member;
  beforeAll(async () => {
    stage = await startInternsStage({ env: { INTERN_HOST_SUFFIX: 'interns.example', INTERN_LEASE_MS: '6000' } });
  });
  afterAll(() => stage.stop(), 30_000);
  beforeEach(async () => {
    me = await stage.member();
  });
  const { get, until, untilIs, folderOf, agentOf, stateOf, keysOf, running } = watchInterns(() => ({ stage, me }));

  it('creation with provision true leads to a running intern with hostname and runtime', async () => {
    const { json } = await me.api.post('/interns', {
      json: { name: 'night-watch', provision: true, instructions: 'Watch.' },
    });
    const intern = await untilIs(json.id, 'running');
    expect(intern).toMatchObject({
      hostname: `night-watch-${json.id.slice(-8)}.interns.example`,
      progress: null,
      last_failure_message: null,
      vault_id: json.vault_id,
    });
    expect(isAlive(await agentOf(json.id))).toBe(true);
  });

  it('provisioning shows its current step, and no progress at the end', async () => {
    const driver = stage.app.get(RuntimeDriver, { strict: false });
    const { prepare } = driver;
    let go: () => void = () => undefined;
    driver.prepare = async (place) => {
      await new Promise<void>((resolve) => (go = resolve));
      return prepare.call(driver, place);
    };
    const { json } = await me.api.post('/interns', { json: { name: 'ab', provision: true } });
    const intern = await until(
      async () => (await get(json.id)).progress?.step_number === 2 && get(json.id),
      'the second step',
    );
    driver.prepare = prepare;
    go();
    expect(intern).toMatchObject({
      status: 'provisioning',
      hostname: null,
      progress: { step_label: 'Preparing its disk', step_number: 2, total_steps: 6 },
    });
    expect((await untilIs(json.id, 'running')).progress).toBeNull();
  });

  it('suspension ends the runtime before the response, revokes the key, and keeps disk and hostname', async () => {
    const id = await running();
    const before = await get(id);
    const agent = await agentOf(id);
    expect((await me.api.post(`/interns/${id}/suspend`)).json).toEqual({ suspended: true });
    expect(isAlive(agent)).toBe(false);
    expect(await get(id)).toMatchObject({ status: 'stopped', hostname: before.hostname });
    const revoked = await keysOf(id);
    expect(revoked.map((key) => key.deleted)).toEqual([true]);
    const { boots } = await stateOf(id);

    expect((await me.api.post(`/interns/${id}/provision`)).status).toBe(202);
    expect((await untilIs(id, 'running')).hostname).toBe(before.hostname);
    expect((await stateOf(id)).boots).toBeGreaterThan(boots);
    const keys = await keysOf(id);
    expect(keys.map((key) => key.deleted)).toEqual([false]);
    expect(keys[0]!.hash).not.toBe(revoked[0]!.hash);
  });

  it('further provision calls keep the runtime of a running intern', async () => {
    const id = await running();
    const agent = await agentOf(id);
    for (let n = 0; n < 3; n++)
      expect((await me.api.post(`/interns/${id}/provision`)).json).toEqual({ provisioning: true });
    await sleep(500);
    expect(await agentOf(id)).toEqual(agent);
  });

  it('a runtime that ended is restarted with a new secret of its key, and the intern stays running', async () => {
    const id = await running();
    const agent = await agentOf(id);
    const [first] = await keysOf(id);
    process.kill(agent.pid, 'SIGKILL');
    await until(async () => (await stateOf(id)).boots === 2, 'the second boot');
    await until(async () => (await keysOf(id))[0]!.hash !== first!.hash, 'the second secret');
    expect((await keysOf(id)).map((key) => key.deleted)).toEqual([false]);
    expect((await get(id)).status).toBe('running');
    expect((await agentOf(id)).pid).not.toBe(agent.pid);
  });

  it('a failed step makes the intern fail with a message, which the next provisioning clears', async () => {
    const driver = stage.app.get(RuntimeDriver, { strict: false });
    const { start } = driver;
    driver.start = async () => {
      throw new Error('no memory is left on this machine');
    };
    const { json } = await me.api.post('/interns', { json: { name: 'ab', provision: true } });
    const failed = await untilIs(json.id, 'failed');
    driver.start = start;
    expect(failed).toMatchObject({
      last_failure_message: 'Starting its runtime failed: no memory is left on this machine',
      progress: null,
      hostname: null,
    });
    expect(await keysOf(json.id).then((keys) => keys.every((key) => key.deleted))).toBe(true);
    await me.api.post(`/interns/${json.id}/provision`);
    expect((await untilIs(json.id, 'running')).last_failure_message).toBeNull();
  });

  it('a runtime that cannot be ended makes the intern fail with a message, and is ended later', async () => {
    const id = await running();
    const agent = await agentOf(id);
    const driver = stage.app.get(RuntimeDriver, { strict: false });
    const { start, stop } = driver;
    driver.start = async () => {
      throw new Error('it will not start');
    };
    driver.stop = async () => {
      throw new Error('the engine is unavailable');
    };
    try {
      // The state after a crash of the worker. Another worker continues the provisioning.
      await stage.sql.query(
        `update intern set status = 'provisioning', fence = fence + 1, attempts = 2, lease_until = null,
           wake_at = clock_timestamp(), deadline = clock_timestamp() + interval '20 seconds'
         where id = $1`,
        [id],
      );
      expect(await untilIs(id, 'failed')).toMatchObject({
        last_failure_message: 'Starting its runtime failed: it will not start',
      });
    } finally {
      Object.assign(driver, { start, stop });
    }
    await stage.sql.query('update intern set wake_at = clock_timestamp() where id = $1', [id]);
    const rowOf = async () =>
      (
        await stage.sql.query('select status, booted_fence, wake_at, worker, lease_until from intern where id = $1', [
          id,
        ])
      )[0];
    await until(
      async () =>
        JSON.stringify(await rowOf()) ===
        JSON.stringify({ status: 'failed', booted_fence: null, wake_at: null, worker: null, lease_until: null }),
      'nothing left to look for',
    );
    expect(isAlive(agent)).toBe(false);
    expect((await keysOf(id)).every((key) => key.deleted)).toBe(true);
  });

  it('a runtime that ends after all restarts makes the intern fail, without key or process', async () => {
    const id = await running();
    const agent = await agentOf(id);
    const driver = stage.app.get(RuntimeDriver, { strict: false });
    const { start } = driver;
    let starts = 0;
    driver.start = async (boot) => {
      if (boot.place.internId !== id) return start.call(driver, boot);
      starts++;
      throw new Error('no memory is left on this machine');
    };
    process.kill(agent.pid, 'SIGKILL');
    const failed = await untilIs(id, 'failed', 60_000).finally(() => (driver.start = start));
    expect(failed).toMatchObject({
      last_failure_message: 'The runtime ended again after 5 restarts: no memory is left on this machine',
      progress: null,
    });
    expect(starts).toBeGreaterThanOrEqual(5);
    expect(await keysOf(id).then((keys) => keys.every((key) => key.deleted))).toBe(true);
    expect(isAlive(agent)).toBe(false);
  }, 90_000);

  it('an intern that no replica took before its deadline fails', async () => {
    const { json } = await me.api.post('/interns', { json: { name: 'ab' } });
    await stage.sql.query(
      `update intern set status = 'queued', deadline = clock_timestamp() - interval '1 second',
         wake_at = clock_timestamp()
       where id = $1`,
      [json.id],
    );
    expect((await untilIs(json.id, 'failed')).last_failure_message).toMatch(/No worker started it in time/);
  });

  it('deletion removes runtime, disk, key, vault and record; name and idempotency key are free again', async () => {
    const made = await me.api.post('/interns', {
      json: { name: 'ab', provision: true },
      headers: { 'idempotency-key': 'k' },
    });
    const { id, vault_id: vaultId } = made.json;
    await me.api.put(`/vault/interns/${id}/secrets/token`, { json: { value: 'x', hosts: ['a.example'] } });
    const borrower = (await me.api.post('/interns', { json: { name: 'borrower', vault_id: vaultId } })).json.id;
    await untilIs(id, 'running');
    const { updated_at: updatedAt } = await get(borrower);
    const agent = await agentOf(id);
    expect((await me.api.delete(`/interns/${id}`)).json).toEqual({ deleting: true });
    await until(async () => (await me.api.get(`/interns/${id}`)).status === 404, 'gone');
    expect(isAlive(agent)).toBe(false);
    await expect(readFile(join(folderOf(id), 'runtime.json'))).rejects.toThrow('ENOENT');
    const left = await stage.sql.query(
      `select 1 from vault where id = $1
       union all select 1 from vault_secret where vault_id = $1
       union all select 1 from intern_creation where intern_id = $2
      union all select 1 from api_key where intern_id = $2 and deleted_at is null`,
      [vaultId, id],
    );
    expect(left).toEqual([]);
    const borrowed = await get(borrower);
    expect(borrowed.attached_vault_id).toBeNull();
    expect(Date.parse(borrowed.updated_at)).toBeGreaterThan(Date.parse(updatedAt));
    expect(
      (
        await me.api.post('/interns', {
          json: { name: 'ab', description: 'another' },
          headers: { 'idempotency-key': 'k' },
        })
      ).status,
    ).toBe(201);
  });

  it('a disk that cannot be removed leads to destroy_failed until its loss is acknowledged', async () => {
    const driver = stage.app.get(RuntimeDriver, { strict: false });
    const { remove } = driver;
    driver.remove = async () => {
      throw new Error('the disk is busy');
    };
    try {
      const { json } = await me.api.post('/interns', { json: { name: 'ab' } });
      await stage.sql.query('update intern set attempts = 3 where id = $1', [json.id]);
      await me.api.delete(`/interns/${json.id}`);
      await stage.sql.query(`update intern set attempts = 4 where id = $1`, [json.id]);
      expect((await untilIs(json.id, 'destroy_failed')).last_failure_message).toBe(
        'workspace_removal_failed: the disk is busy',
      );
      await me.api.delete(`/interns/${json.id}`, { json: { acknowledge_workspace_loss: true } });
      await until(async () => (await me.api.get(`/interns/${json.id}`)).status === 404, 'gone');
    } finally {
      driver.remove = remove;
    }
  }, 60_000);
});

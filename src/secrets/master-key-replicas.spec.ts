import { secretsStage } from '../../test/support/secrets/secrets-room.js';
import { operate } from '../../test/support/services/operator-line.js';
import { startTestService } from '../../test/support/services/test-service.js';
import { masterKeyId } from '../../test/support/services/backed-up-service.js';
import { eventually } from '../../test/support/eventually.js';

const [KEY, NEXT, WRONG] = ['a1'.repeat(32), 'b2'.repeat(32), 'c3'.repeat(32)] as const;

describe('a rotation of the master key with running replicas', () => {
  const stage = secretsStage();
  const rotate = (env: Record<string, string>): ReturnType<typeof operate> =>
    operate(stage.database.url, { DATABASE_URL: stage.database.url, ...env }, 'secrets', 'rotate-master-key');

  it.each([
    ['MASTER_KEY_NEXT alone', { MASTER_KEY_NEXT: NEXT }],
    ['MASTER_KEY and MASTER_KEY_NEXT', { MASTER_KEY: KEY, MASTER_KEY_NEXT: NEXT }],
    ['no key', {}],
  ])('reports in one line that the database has no master key yet, given %s', async (_, env) => {
    expect((await rotate({ DATA_DIR: stage.folder.path, ...env })).error).toMatchObject({
      kind: 'conflict',
      message: 'This database has no master key: the first start of the service sets or generates one',
    });
  });

  it('is refused while a replica lacks the next key, and succeeds when all replicas have it', async () => {
    const env = { MASTER_KEY: KEY, MASTER_KEY_NEXT: NEXT };
    const knowing = await startTestService({ databaseUrl: stage.database.url, env });
    const lacking = await startTestService({ databaseUrl: stage.database.url, env: { MASTER_KEY: KEY } });
    const [{ id } = { id: '' }] = await knowing.sql.query<{ id: string }>(
      'select id from replica where cardinality(master_key_ids) = 1',
    );
    expect((await rotate(env)).error).toMatchObject({
      kind: 'conflict',
      message: expect.stringContaining(`master key ${masterKeyId(NEXT)} is unknown to the running replica ${id}:`),
    });
    expect(await knowing.sql.query('select id from master_key')).toEqual([{ id: masterKeyId(KEY) }]);
    await lacking.stop();
    expect((await rotate(env)).error).toBeUndefined();
    expect((await fetch(`${knowing.origin}/readyz`)).status).toBe(200);
    await knowing.stop();
  }, 60_000);

  it('ignores a replica with an old heartbeat', async () => {
    const env = { MASTER_KEY: KEY, MASTER_KEY_NEXT: NEXT };
    const service = await startTestService({ databaseUrl: stage.database.url, env });
    await service.sql.query(
      `insert into replica values ('gone', now(), now() - interval '31 seconds', '0035-replica', '{}', false)`,
    );
    expect((await rotate(env)).error).toBeUndefined();
    await service.stop();
  }, 60_000);
});

describe('a replica that cannot open secrets', () => {
  it('is reported by /readyz and by a metric until it can open them', async () => {
    const service = await startTestService({ env: { METRICS_TOKEN: 'token', MASTER_KEY: KEY } });
    const ready = async (): Promise<{ status: number; text: string }> => {
      const response = await fetch(`${service.origin}/readyz`);
      return { status: response.status, text: await response.text() };
    };
    const metric = async (): Promise<string | undefined> =>
      (await (await fetch(`${service.origin}/metrics`, { headers: { authorization: 'Bearer token' } })).text())
        .split('\n')
        .find((line) => line.startsWith('gatehouse_replica_opens_secrets{'));
    const [{ id }] = (await service.sql.query<{ id: string }>('select id from replica')) as [{ id: string }];
    expect([(await ready()).status, await metric()]).toEqual([
      200,
      `gatehouse_replica_opens_secrets{replica="${id}"} 1`,
    ]);

    await service.sql.query(`update master_key set id = $1`, [masterKeyId(WRONG)]);
    await eventually(async () => {
      const { status, text } = await ready();
      expect([status, text.includes(`secrets of the replica ${id}`), await metric()]).toEqual([
        503,
        true,
        `gatehouse_replica_opens_secrets{replica="${id}"} 0`,
      ]);
    }, 20_000);

    await service.sql.query(`update master_key set id = $1`, [masterKeyId(KEY)]);
    await eventually(async () => expect((await ready()).status).toBe(200), 20_000);
    await service.stop();
  }, 60_000);
});

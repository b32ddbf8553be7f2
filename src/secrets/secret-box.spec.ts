import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { secretsStage } from '../../test/support/secrets/secrets-room.js';
import { SecretValue } from '../kernel/secret-value.js';

const aMasterKey = (): string => randomBytes(32).toString('hex');
const SECRET = new SecretValue('sk-a-vendor-key-ü-😀');

describe('SecretBox', () => {
  const stage = secretsStage(({ database }) => ({ DATABASE_URL: database.url }));
  const { open } = stage;

  it('opens what it sealed, in another process too', async () => {
    const env = { MASTER_KEY: aMasterKey() };
    const { box } = await open(env);
    const dataKey = await box.createDataKey();
    const sealed = await box.seal(dataKey, 'byok:1', SECRET);

    const other = await open(env);
    expect((await other.box.open(dataKey, 'byok:1', sealed)).reveal()).toBe(SECRET.reveal());
  });

  it('refuses bytes that were sealed for another row or under another data key', async () => {
    const { box } = await open({ MASTER_KEY: aMasterKey() });
    const [one, two] = [await box.createDataKey(), await box.createDataKey()];
    const sealed = await box.seal(one, 'byok:1', SECRET);

    const refusal = {
      kind: 'internal',
      message: 'This secret cannot be opened: it was sealed for another place, or changed since',
    };
    await expect(box.open(one, 'byok:2', sealed)).rejects.toMatchObject(refusal);
    await expect(box.open(two, 'byok:1', sealed)).rejects.toMatchObject(refusal);
  });

  it('refuses a wrapped data key that was moved to the row of another data key', async () => {
    const env = { MASTER_KEY: aMasterKey() };
    const { box, sql } = await open(env);
    const [one, two] = [await box.createDataKey(), await box.createDataKey()];
    const sealed = await box.seal(one, 'byok:1', SECRET);

    await sql.query('update data_key set wrapped = (select wrapped from data_key where id = $1) where id = $2', [
      one,
      two,
    ]);
    const fresh = await open(env);
    await expect(fresh.box.open(two, 'byok:1', sealed)).rejects.toMatchObject({
      kind: 'internal',
      message: 'This secret cannot be opened: its data key was changed or moved',
    });
  });

  it('creates a data key in the transaction of the caller, so that a rollback removes the key', async () => {
    const { box, sql } = await open({ MASTER_KEY: aMasterKey() });
    let dataKey = '';
    const attempt = sql.transaction(async (session) => {
      dataKey = await box.createDataKey(session);
      expect(await box.seal(dataKey, 'byok:1', SECRET, session)).toBeInstanceOf(Buffer);
      throw new Error('changed my mind');
    });

    await expect(attempt).rejects.toThrow('changed my mind');
    await expect(box.seal(dataKey, 'byok:1', SECRET)).rejects.toMatchObject({ kind: 'internal' });
  });

  it('drops a destroyed data key, in every process', async () => {
    const env = { MASTER_KEY: aMasterKey() };
    const [here, there] = [await open(env), await open(env)];
    const dataKey = await here.box.createDataKey();
    const sealed = await here.box.seal(dataKey, 'byok:1', SECRET);
    await there.box.open(dataKey, 'byok:1', sealed);

    await here.box.destroyDataKey(dataKey);

    await expect(here.box.open(dataKey, 'byok:1', sealed)).rejects.toMatchObject({ kind: 'internal' });
    const outcomes: string[] = [];
    while (outcomes.at(-1) !== 'internal') {
      // Let the event loop deliver the notification. A cached key is returned without a turn of the event loop.
      await nextTurn();
      outcomes.push(
        await there.box.open(dataKey, 'byok:1', sealed).then(
          () => 'opened',
          (error: { kind: string }) => error.kind,
        ),
      );
    }
    expect(new Set(outcomes.slice(0, -1))).not.toContain('unavailable');
  });

  it('returns equal fingerprints for equal values, but different fingerprints under different data keys', async () => {
    const { box } = await open({ MASTER_KEY: aMasterKey() });
    const [one, two] = [await box.createDataKey(), await box.createDataKey()];

    const prints = [
      await box.fingerprint(one, SECRET),
      await box.fingerprint(one, new SecretValue(SECRET.reveal())),
      await box.fingerprint(one, new SecretValue('x')),
      await box.fingerprint(two, SECRET),
    ];
    expect(prints[0]).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(prints[1]).toBe(prints[0]);
    expect(new Set(prints).size).toBe(3);
  });

  describe('the source of the master key', () => {
    it('creates a key in DATA_DIR even with an external database; a second service reports what to set', async () => {
      const { box } = await open({ DATA_DIR: join(stage.folder.path, 'data') });
      expect(box.available).toBe(true);
      await box.createDataKey();

      const elsewhere = await open({ DATA_DIR: join(stage.folder.path, 'elsewhere') });
      await expect(elsewhere.box.createDataKey()).rejects.toMatchObject({
        kind: 'unavailable',
        message: 'Secrets are unavailable on this service: set MASTER_KEY or MASTER_KEY_FILE',
      });
    });

    it('refuses a wrong master key, and opens nothing with it', async () => {
      const right = aMasterKey();
      const first = await open({ MASTER_KEY: right });
      const dataKey = await first.box.createDataKey();
      const sealed = await first.box.seal(dataKey, 'byok:1', SECRET);

      const { box } = await open({ MASTER_KEY: aMasterKey() });
      expect(box.available).toBe(false);
      await expect(box.open(dataKey, 'byok:1', sealed)).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringMatching(
          /^Secrets are unavailable on this service: MASTER_KEY is not the master key of this database/,
        ),
      });
      expect((await open({ MASTER_KEY: right })).box.available).toBe(true);
    });

    it('accepts the key as hex, as base64 and from a file', async () => {
      const bytes = randomBytes(32);
      const path = join(stage.folder.path, 'key');
      await writeFile(path, `${bytes.toString('base64')}\n`);

      const found = [
        await open({ MASTER_KEY: bytes.toString('hex') }),
        await open({ MASTER_KEY: bytes.toString('base64') }),
        await open({ MASTER_KEY_FILE: path }),
      ];
      expect(found.map(({ box }) => box.available)).toEqual([true, true, true]);
    });

    it('reports a key file that does not exist', async () => {
      const { ring } = await open({ MASTER_KEY_FILE: '/nowhere/key' });

      expect(ring.problem).toBe('the master key file /nowhere/key is missing: put it back');
    });

    it('creates one key file on the embedded database, which only its owner may read', async () => {
      const dataDir = join(stage.folder.path, 'data');
      await mkdir(dataDir);
      const env = { DATABASE_URL: '', DATA_DIR: dataDir };
      const rooms = await Promise.all([open(env), open(env), open(env)]);
      const path = join(dataDir, 'master-key');

      expect(rooms.map(({ box }) => box.available)).toEqual([true, true, true]);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const text = await readFile(path, 'utf8');
      expect(text).toMatch(/^[0-9a-f]{64}\n$/);
      expect((await open(env)).box.available).toBe(true);
      expect(await readFile(path, 'utf8')).toBe(text);
    });

    it('does not replace a lost key: without the master key, no secret can be opened', async () => {
      const dataDir = join(stage.folder.path, 'data');
      const env = { DATABASE_URL: '', DATA_DIR: dataDir };
      const first = await open(env);
      const dataKey = await first.box.createDataKey();
      const sealed = await first.box.seal(dataKey, 'byok:1', SECRET);
      await rm(join(dataDir, 'master-key'));

      const { box, ring } = await open(env);
      expect(ring.problem).toBe(`the master key file ${join(dataDir, 'master-key')} is missing: put it back`);
      await expect(box.open(dataKey, 'byok:1', sealed)).rejects.toMatchObject({ kind: 'unavailable' });
    });
  });
});

import { randomBytes } from 'node:crypto';
import { secretsStage } from '../../test/support/secrets/secrets-room.js';
import { SecretValue } from '../kernel/secret-value.js';

const aMasterKey = (): string => randomBytes(32).toString('hex');

describe('MasterKeyRotation', () => {
  const stage = secretsStage();
  const { open } = stage;

  it('changes to MASTER_KEY_NEXT, and prints what to set afterwards', async () => {
    const [one, two] = [aMasterKey(), aMasterKey()];
    const env = { DATABASE_URL: stage.database.url };
    const room = await open({ ...env, MASTER_KEY: one });
    const key = await room.box.createDataKey();
    const sealed = await room.box.seal(key, 'byok:1', new SecretValue('kept'));

    await expect(room.rotation.rotate()).rejects.toMatchObject({
      message:
        'There is no new master key to change to: set MASTER_KEY_NEXT, here and on every replica, and rotate again',
    });
    const done = await (await open({ ...env, MASTER_KEY: one, MASTER_KEY_NEXT: two })).rotation.rotate();

    expect(done.next).toBe(
      `put the key of MASTER_KEY_NEXT alone into MASTER_KEY and unset MASTER_KEY_NEXT, on every replica. ` +
        `Backups taken before this rotation need the old key (id ${done.from}): keep it in a safe place`,
    );
    const after = await open({ ...env, MASTER_KEY: two });
    expect((await after.box.open(key, 'byok:1', sealed)).reveal()).toBe('kept');
    expect((await open({ ...env, MASTER_KEY: one })).box.available).toBe(false);
  });
});

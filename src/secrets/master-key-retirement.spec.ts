import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { secretsStage } from '../../test/support/secrets/secrets-room.js';
import { SecretValue } from '../kernel/secret-value.js';
import { bindingOfDataKey } from './envelope/data-keys.js';
import { newMasterKey, textOfMasterKey } from './envelope/master-key.js';
import { sealBytes } from './envelope/sealing.js';

describe('a retired master key', () => {
  const stage = secretsStage();
  const { open } = stage;

  it('opens secrets of an earlier backup: the file keeps the key that the restored rows need', async () => {
    const room = await open();
    const key = await room.box.createDataKey();
    const sealed = await room.box.seal(key, 'byok:1', new SecretValue('kept'));
    const rows = await room.sql.query<{ wrapped: Buffer; master_key_id: string }>(
      'select wrapped, master_key_id from data_key',
    );
    const before = rows[0]!;
    const { from, to } = await room.rotation.rotate();

    // As in a restored backup: the old key is current, and the new key is unknown.
    await room.sql.query('update data_key set wrapped = $1, master_key_id = $2', [
      before.wrapped,
      before.master_key_id,
    ]);
    await room.sql.query('delete from master_key where id = $1', [to]);
    await room.sql.query(`update master_key set state = 'current' where id = $1`, [from]);

    const restored = await open();
    expect((await restored.box.open(key, 'byok:1', sealed)).reveal()).toBe('kept');
    const again = await restored.rotation.rotate();
    expect(again.from).toBe(from);
    expect((await (await open()).box.open(key, 'byok:1', sealed)).reveal()).toBe('kept');
  });

  it('is never the target of a rotation, whatever the database has stored about the key', async () => {
    const path = join(stage.folder.path, 'keys');
    const [current, retired] = [newMasterKey(), newMasterKey()];
    const lines = [`current ${textOfMasterKey(current)}`, `retired ${retired.id} ${textOfMasterKey(retired)}`];
    await writeFile(path, `gatehouse-master-keys 2\n${lines.join('\n')}\n`);
    const room = await open({ DATABASE_URL: stage.database.url, MASTER_KEY_FILE: path });

    await expect(room.rotation.rotate()).rejects.toMatchObject({
      kind: 'invalid_request',
      message: expect.stringContaining('There is no new master key'),
    });
  });

  describe('secrets forget-master-key', () => {
    it('removes a retired key from the file, keeps the other keys, and records the removal', async () => {
      const room = await open();
      const first = await room.rotation.rotate();
      const second = await room.rotation.rotate();

      const done = await room.rotation.forget(first.from);

      expect(done).toMatchObject({ id: first.from, removed: true });
      const text = await readFile(join(stage.folder.path, 'data', 'master-key'), 'utf8');
      expect(text).not.toContain(first.from);
      expect(text).toMatch(new RegExp(`current ${second.to} .*\nretired ${second.from} `));
      const [row] = await room.sql.query(
        `select actor, action, resource_kind, resource_id from audit_entry where action = 'delete'`,
      );
      expect(row).toEqual({
        actor: 'operator',
        action: 'delete',
        resource_kind: 'master_key',
        resource_id: first.from,
      });
      expect((await open()).box.available).toBe(true);
    });

    it('refuses the current key, a key that data keys need, and an unknown id', async () => {
      const room = await open();
      const key = await room.box.createDataKey();
      const { from, to } = await room.rotation.rotate();
      const path = join(stage.folder.path, 'data', 'master-key');
      const before = await readFile(path, 'utf8');

      await expect(room.rotation.forget(to)).rejects.toMatchObject({
        kind: 'conflict',
        message: `The master key ${to} is in force: rotate first`,
      });
      await expect(room.rotation.forget('0123456789abcdef')).rejects.toMatchObject({
        kind: 'not_found',
        message: `${path} holds no retired key with the id 0123456789abcdef; it holds ${from}`,
      });
      const old = room.ring.offered.find(({ id }) => id === from)!;
      const wrapped = sealBytes(old.key, bindingOfDataKey(key), randomBytes(32));
      await room.sql.query('update data_key set wrapped = $1, master_key_id = $2', [wrapped, from]);
      await expect(room.rotation.forget(from)).rejects.toMatchObject({
        kind: 'conflict',
        message: `1 data key needs the master key ${from}: rotate again first`,
      });
      expect(await readFile(path, 'utf8')).toBe(before);
    });

    it('changes no file that the service did not write, and prints what to do by hand', async () => {
      const path = join(stage.folder.path, 'keys');
      const text =
        `gatehouse-master-keys 2\ncurrent ${randomBytes(32).toString('hex')}\n` +
        `retired ${randomBytes(32).toString('hex')}\n`;
      await writeFile(path, text);
      const room = await open({ DATABASE_URL: stage.database.url, MASTER_KEY_FILE: path });
      const { id } = room.ring.keys.retired[0]!;

      expect(await room.rotation.forget(id)).toEqual({
        id,
        removed: false,
        next: `remove the line of the key ${id} from ${path}, on every replica`,
      });
      expect(await readFile(path, 'utf8')).toBe(text);
    });
  });
});

import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { secretsStage, type SecretsRoom } from '../../test/support/secrets/secrets-room.js';
import { SecretValue } from '../kernel/secret-value.js';
import { DataKeys } from './envelope/data-keys.js';
import { newMasterKey, textOfMasterKey } from './envelope/master-key.js';
import { SecretBox } from './secret-box.js';
import { Notifications } from '../database/notifications.js';

describe('MasterKeyRotation', () => {
  const stage = secretsStage();
  const { open } = stage;
  /** A box with an empty cache of data keys, so that every read unwraps. */
  const forgetful = ({ ring, sql, clock }: SecretsRoom): SecretBox =>
    new SecretBox(ring, new DataKeys(ring, sql, clock, new Notifications('')), sql);
  const keyIds = async ({ sql }: SecretsRoom): Promise<Record<string, unknown>[]> =>
    sql.query(
      `select m.state, count(d.id)::int as keys
       from master_key m
       left join data_key d on d.master_key_id = m.id
       group by m.id
       order by m.state`,
    );
  /** Resolves when a query waits for a lock. */
  const untilAQueryWaits = async ({ sql }: SecretsRoom): Promise<void> => {
    for (;;) {
      // Query outside the transaction, because inside it all reads of the activity view return the same state.
      const [waiting] = await sql.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (waiting) return;
    }
  };

  it('rewraps every data key, and keeps the old key in the file under its id', async () => {
    const room = await open();
    const path = join(stage.folder.path, 'data', 'master-key');
    const before = (await readFile(path, 'utf8')).trim();
    const made = await Promise.all(Array.from({ length: 250 }, () => room.box.createDataKey()));
    const sealed = await room.box.seal(made[0]!, 'byok:1', new SecretValue('kept'));

    const done = await room.rotation.rotate();

    expect(done).toMatchObject({ rewrapped: 250, damaged: 0 });
    expect(done.next).toBe(
      `Backups taken before this rotation need the old key: ${path} keeps it under its id ${done.from} until ` +
        `\`secrets forget-master-key ${done.from}\`. Keep a copy of that file in another place`,
    );
    const after = await readFile(path, 'utf8');
    expect(after).toMatch(
      new RegExp(
        `^gatehouse-master-keys 2\n(#.*\n)*current ${done.to} [0-9a-f]{64}\nretired ${done.from} ${before}\n$`,
      ),
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await keyIds(room)).toEqual([
      { state: 'current', keys: 250 },
      { state: 'retired', keys: 0 },
    ]);
    expect((await (await open()).box.open(made[0]!, 'byok:1', sealed)).reveal()).toBe('kept');
    expect(await room.sql.query('select actor, action, resource_kind, resource_id from audit_entry')).toEqual([
      { actor: 'operator', action: 'rotate', resource_kind: 'master_key', resource_id: done.to },
    ]);
  });

  it('causes no failed read and no lost data key under load in two other processes', async () => {
    const services = [await open(), await open()];
    const operator = await open();
    const held = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const key = await operator.box.createDataKey();
        return {
          key,
          value: `secret ${index}`,
          sealed: await operator.box.seal(key, `byok:${index}`, new SecretValue(`secret ${index}`)),
          binding: `byok:${index}`,
        };
      }),
    );
    let over = false;
    let reads = 0;
    const failures: unknown[] = [];
    const read = async (room: SecretsRoom, start: number): Promise<void> => {
      for (let index = start; !over; index++) {
        const one = held[index % held.length]!;
        await nextTurn();
        await forgetful(room)
          .open(one.key, one.binding, one.sealed)
          .then(
            (value) => (value.reveal() === one.value ? reads++ : failures.push('another value')),
            (error: unknown) => failures.push(error),
          );
      }
    };
    const make = async (room: SecretsRoom): Promise<void> => {
      while (!over) {
        const one = await room.box.createDataKey().catch((error: unknown) => void failures.push(error));
        if (one)
          held.push({
            key: one,
            value: 'new',
            binding: 'new',
            sealed: await room.box.seal(one, 'new', new SecretValue('new')),
          });
        await nextTurn();
      }
    };
    const load = Promise.all(
      services.flatMap((room, index) => [read(room, index * 13), read(room, index * 29), make(room)]),
    );

    for (let turn = 0; turn < 4; turn++) await operator.rotation.rotate();
    over = true;
    await load;

    expect(failures).toEqual([]);
    expect(reads).toBeGreaterThan(50);
    const fresh = await open();
    const values = await Promise.all(
      held.map(async ({ key, binding, sealed }) => (await fresh.box.open(key, binding, sealed)).reveal()),
    );
    expect(values).toEqual(held.map(({ value }) => value));
    expect((await keyIds(operator)).filter(({ state }) => state === 'retired')).toEqual(
      Array.from({ length: 4 }, () => ({ state: 'retired', keys: 0 })),
    );
  });

  it('waits for a data key that is created under the old key', async () => {
    const room = await open();
    let dataKey = '';
    let rotated: Promise<unknown> = Promise.resolve();
    let ended = false;
    await room.sql.transaction(async (session) => {
      dataKey = await room.box.createDataKey(session);
      rotated = room.rotation.rotate().finally(() => (ended = true));
      await untilAQueryWaits(room);
      expect(ended).toBe(false);
    });

    await expect(rotated).resolves.toMatchObject({ rewrapped: 1 });
    await (await open()).box.seal(dataKey, 'byok:1', new SecretValue('x'));
  });

  it.each([
    [
      'before the new key became current',
      async ({ ring }: SecretsRoom) => ring.source.change((keys) => ({ ...keys, next: [newMasterKey()] })),
    ],
    [
      'while data keys were being rewrapped',
      async (room: SecretsRoom) => {
        await room.sql.query(
          `create function stop() returns trigger language plpgsql as $$
           begin
             if (select count(*) from data_key where master_key_id = new.master_key_id) > 3 then
               raise 'stopped';
             end if;
             return new;
           end $$`,
        );
        await room.sql.query('create trigger stop before update on data_key for each row execute function stop()');
        await expect(room.rotation.rotate()).rejects.toThrow('stopped');
        await room.sql.query('drop function stop cascade');
      },
    ],
  ])('finishes a rotation that was interrupted %s', async (_, interrupt) => {
    const room = await open();
    const made = await Promise.all(Array.from({ length: 9 }, () => room.box.createDataKey()));
    await interrupt(room);

    const operator = await open();
    await operator.rotation.rotate();

    expect(await keyIds(operator)).toEqual([
      { state: 'current', keys: 9 },
      { state: 'retired', keys: 0 },
    ]);
    const kept = (await readFile(join(stage.folder.path, 'data', 'master-key'), 'utf8')).matchAll(
      /^(current|next|retired) /gm,
    );
    expect([...kept].map(([, role]) => role)).toEqual(['current', 'retired']);
    await Promise.all(made.map(async (key) => (await open()).box.seal(key, 'x', new SecretValue('x'))));
  });

  it.each([
    ['the second line of a file of bare keys', (old: string, next: string) => `${old}\n${next}\n`],
    [
      'the next key of a file in the labelled format',
      (old: string, next: string) => `gatehouse-master-keys 2\nnext ${next}\n# the present one\ncurrent ${old}\n`,
    ],
  ])('changes to %s in MASTER_KEY_FILE, and never back to a key that was retired', async (_, text) => {
    const path = join(stage.folder.path, 'keys');
    const [old, next] = [newMasterKey(), newMasterKey()];
    await writeFile(path, text(textOfMasterKey(old), textOfMasterKey(next)));
    const room = await open({ DATABASE_URL: stage.database.url, MASTER_KEY_FILE: path });

    const done = await room.rotation.rotate();

    expect(done).toMatchObject({ from: old.id, to: next.id });
    expect(done.next).toBe(
      `make ${next.id} the current key of ${path} and ${old.id} a retired one, on every replica. Backups taken ` +
        `before this rotation need the old key: keep it there until none of them is left`,
    );
    await expect(room.rotation.rotate()).rejects.toMatchObject({ kind: 'invalid_request' });
  });

  it('is refused with a conflict while another rotation runs, and the other rotation then finishes', async () => {
    const [one, two] = [await open(), await open()];
    let rotated: Promise<unknown> = Promise.resolve();
    await one.sql.transaction(async (session) => {
      await one.box.createDataKey(session);
      rotated = one.rotation.rotate();
      await untilAQueryWaits(one);
      await expect(two.rotation.rotate()).rejects.toMatchObject({ kind: 'conflict' });
    });

    await expect(rotated).resolves.toMatchObject({ rewrapped: 1 });
    await expect(two.rotation.rotate()).resolves.toMatchObject({ rewrapped: 1 });
    expect((await open()).box.available).toBe(true);
  });
});

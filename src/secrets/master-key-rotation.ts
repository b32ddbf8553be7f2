import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { AuditTrail } from '../audit/audit-trail.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { conflict, invalidRequest, notFound, unavailable } from '../kernel/errors/errors.js';
import { bindingOfDataKey } from './envelope/data-keys.js';
import { KeyRing } from './envelope/key-ring.js';
import { allOf, type MasterKeys } from './envelope/master-key-file.js';
import { checkValueOf, newMasterKey, type MasterKey } from './envelope/master-key.js';
import { openBytes, sealBytes } from './envelope/sealing.js';
import { Replicas } from './replicas.js';

/** The number of the advisory lock. No other lock in the database has this number. */
const ROTATION_LOCK = 7_246_014;
const BATCH = 200;
/**
 * The time for which a rotation waits until every replica has read the new key. Replicas read their keys when they are
 * notified, and with each heartbeat.
 */
const ANNOUNCE_TIMEOUT_MS = 10_000;
const ANNOUNCE_POLL_MS = 100;

export interface Rotation {
  /** The id of the old master key. */
  readonly from: string;
  /** The id of the new master key. */
  readonly to: string;
  /** Number of rewrapped data keys. */
  readonly rewrapped: number;
  /** Number of data keys that the old key could not open, because they were already damaged. */
  readonly damaged: number;
  /** What the operator must do next, as a sentence. */
  readonly next: string;
}

export interface ForgottenKey {
  readonly id: string;
  /** False if the keys are not in the service's own file. */
  readonly removed: boolean;
  /** What the operator must do next, as a sentence. */
  readonly next: string;
}

/**
 * Changes the master key while services run. It makes both keys available, sets the new one as current, rewraps every
 * data key and then retires the old key. The old key is kept until `forget`, because earlier backups need it. If a
 * rotation is interrupted at any step, the next call completes it.
 */
@Injectable()
export class MasterKeyRotation {
  constructor(
    private readonly ring: KeyRing,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
    private readonly replicas: Replicas,
  ) {}

  async rotate(): Promise<Rotation> {
    return this.#locked(async () => {
      const states = await this.#states();
      const retiring = states.get('retiring');
      const old = retiring ? await this.#requireKey(retiring) : await this.#requireKey(states.get('current')!);
      const fresh = retiring ? await this.#requireKey(states.get('current')!) : await this.#promote(old);
      const { rewrapped, damaged } = await this.#rewrap(old, fresh);
      if (this.ring.source.writesOwnFile) await this.ring.source.change((keys) => afterRetiring(keys, old, fresh));
      await this.sql.query(`update master_key set state = 'retired' where id = $1`, [old.id]);
      return { from: old.id, to: fresh.id, rewrapped, damaged, next: this.ring.source.afterRotation(old.id, fresh.id) };
    });
  }

  /**
   * Removes a retired key from the service's own file. For any other source, only returns instructions. Without the
   * key, secrets in backups from before its rotation cannot be opened.
   */
  async forget(id: string): Promise<ForgottenKey> {
    return this.#locked(async () => {
      const { source, keys } = this.ring;
      const [known] = await this.sql.query<{ state: string }>('select state from master_key where id = $1', [id]);
      if (known?.state === 'current') throw conflict(`The master key ${id} is in force: rotate first`);
      if (known?.state === 'retiring')
        throw conflict(`A rotation away from the master key ${id} was interrupted: rotate again first`);
      const key = keys.retired.find((each) => each.id === id);
      if (!key) {
        const held = keys.retired.map((each) => each.id).join(', ') || 'none';
        throw notFound(`${source.place} holds no retired key with the id ${id}; it holds ${held}`);
      }
      const needing = await this.#countWrappedBy(key);
      if (needing > 0) {
        throw conflict(
          `${needing} data key${needing === 1 ? ' needs' : 's need'} the master key ${id}: rotate again first`,
        );
      }
      if (!source.writesOwnFile) return { id, removed: false, next: source.afterForgetting(id) };
      // The file is not part of a transaction, so write the audit row before removing the key.
      await this.audit.record({ by: 'operator', action: 'delete', kind: 'master_key', id });
      await source.change((all) => ({ ...all, retired: all.retired.filter((each) => each.id !== id) }));
      return {
        id,
        removed: true,
        next: 'Backups that need this key can no longer be opened with the keys of this file',
      };
    });
  }

  /** Takes the lock, reads the keys again and runs the work. Throws a conflict if another process holds the lock. */
  async #locked<T>(work: () => Promise<T>): Promise<T> {
    return this.sql.transaction(async (lock) => {
      const [taken] = await lock.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
        ROTATION_LOCK,
      ]);
      if (!taken?.free) throw conflict('Another rotation of the master key is in progress');
      // Another rotation may have ended since this process read the keys.
      await this.ring.read();
      if (!(await this.#states()).has('current'))
        throw conflict('This database has no master key: the first start of the service sets or generates one');
      this.ring.assertPresent();
      return work();
    });
  }

  async #states(): Promise<Map<string, string>> {
    const rows = await this.sql.query<{ id: string; state: string }>(
      `select id, state from master_key where state <> 'retired'`,
    );
    return new Map(rows.map(({ id, state }) => [state, id]));
  }

  async #requireKey(id: string): Promise<MasterKey> {
    const key = await this.ring.find(id);
    if (!key)
      throw unavailable(
        `A rotation was interrupted, and to finish it the master key with the id ${id} is needed: put it ` +
          `back into ${this.ring.source.place}`,
      );
    return key;
  }

  /** Sets the new key as current. Waits for transactions that create a data key under the old key. */
  async #promote(old: MasterKey): Promise<MasterKey> {
    const fresh = await this.#next();
    await this.#demandAnnounced(fresh);
    await this.sql.transaction(async (session) => {
      await session.query(`update master_key set state = 'retiring' where id = $1`, [old.id]);
      await session.query(
        `insert into master_key (id, state, check_value, created_at) values ($1, 'current', $2, $3)`,
        [fresh.id, checkValueOf(fresh), this.clock.now()],
      );
      await this.audit.record({ by: 'operator', action: 'rotate', kind: 'master_key', id: fresh.id }, session);
    });
    return fresh;
  }

  /** Throws if a running replica does not have the key. After the rotation, that replica could not open any secret. */
  async #demandAnnounced({ id }: MasterKey): Promise<void> {
    await this.sql.query(`select pg_notify('master_key_changed', '')`);
    for (const until = performance.now() + ANNOUNCE_TIMEOUT_MS; ; await sleep(ANNOUNCE_POLL_MS)) {
      const lacking = (await this.replicas.list()).filter(({ masterKeyIds }) => !masterKeyIds.includes(id));
      if (lacking.length === 0) return;
      if (performance.now() < until) continue;
      throw conflict(
        `The next master key ${id} is unknown to the running replica${lacking.length === 1 ? '' : 's'} ` +
          `${lacking.map((replica) => replica.id).join(', ')}: give it to every replica as MASTER_KEY_NEXT or as the ` +
          'next key of the key file, and rotate again',
      );
    }
  }

  /**
   * Returns an unused next key that the configuration offers. If there is none and the service writes its own file,
   * generates a key.
   */
  async #next(): Promise<MasterKey> {
    const used = new Set((await this.sql.query<{ id: string }>('select id from master_key')).map(({ id }) => id));
    const offered = this.ring.keys.next.find(({ id }) => !used.has(id));
    const fresh = offered ?? (this.ring.source.writesOwnFile ? newMasterKey() : undefined);
    if (!fresh) throw invalidRequest(this.ring.source.beforeRotation);
    if (this.ring.source.writesOwnFile) await this.ring.source.change((keys) => ({ ...keys, next: [fresh] }));
    return fresh;
  }

  /** Counts the data keys that this master key wraps. Damaged data keys, which it cannot open, are not counted. */
  async #countWrappedBy(key: MasterKey): Promise<number> {
    const rows = await this.sql.query<{ id: string; wrapped: Buffer }>(
      'select id, wrapped from data_key where master_key_id = $1',
      [key.id],
    );
    return rows.filter(({ id, wrapped }) => openBytes(key.key, bindingOfDataKey(id), wrapped) !== undefined).length;
  }

  /**
   * Rewraps each data key in a separate statement, so that locks are short. The statement also changes the id of the
   * master key in the row.
   */
  async #rewrap(old: MasterKey, fresh: MasterKey): Promise<{ rewrapped: number; damaged: number }> {
    let [rewrapped, damaged, after] = [0, 0, '00000000-0000-0000-0000-000000000000'];
    for (;;) {
      const rows = await this.sql.query<{ id: string; wrapped: Buffer }>(
        'select id, wrapped from data_key where master_key_id = $1 and id > $2 order by id limit $3',
        [old.id, after, BATCH],
      );
      if (rows.length === 0) return { rewrapped, damaged };
      for (const row of rows) {
        const bytes = openBytes(old.key, bindingOfDataKey(row.id), row.wrapped);
        if (!bytes) damaged++;
        else rewrapped += await replaceWrapping(this.sql, row.id, old, fresh, bytes);
      }
      after = rows.at(-1)!.id;
    }
  }
}

/** Returns the keys of the file after `fresh` replaced `old`. The file's current and retired keys become retired. */
function afterRetiring(keys: MasterKeys, old: MasterKey, fresh: MasterKey): MasterKeys {
  const retired = allOf({ current: old, next: [], retired: allOf({ ...keys, next: [] }) });
  return { current: fresh, next: [], retired: retired.filter(({ id }) => id !== fresh.id) };
}

/** Returns 1, or 0 if the data key was destroyed meanwhile. */
async function replaceWrapping(
  sql: SqlSession,
  id: string,
  old: MasterKey,
  fresh: MasterKey,
  bytes: Buffer,
): Promise<number> {
  const wrapped = sealBytes(fresh.key, bindingOfDataKey(id), bytes);
  const changed = await sql.query(
    'update data_key set wrapped = $2, master_key_id = $3 where id = $1 and master_key_id = $4 returning 1',
    [id, wrapped, fresh.id, old.id],
  );
  return changed.length;
}

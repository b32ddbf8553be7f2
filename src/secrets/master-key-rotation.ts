import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { GatewayError } from '../kernel/errors.js';
import { bindingOfDataKey } from './envelope/data-keys.js';
import { KeyRing } from './envelope/key-ring.js';
import { checkValueOf, newMasterKey, type MasterKey } from './envelope/master-key.js';
import { openBytes, sealBytes } from './envelope/sealing.js';

/** Any number that nothing else in the database uses for an advisory lock. */
const ROTATION_LOCK = 7_246_014;
const BATCH = 200;

export interface Rotation {
  /** Ids of master keys, which tell nothing of the keys. */
  readonly from: string;
  readonly to: string;
  /** Data keys that were wrapped anew. */
  readonly rewrapped: number;
  /** Data keys that the old key did not open either: they were damaged before. */
  readonly damaged: number;
  /** What is left for the operator to do, a sentence. */
  readonly next: string;
}

/**
 * Changes the master key while services run: both keys are at hand before the new one comes into force, every data key is wrapped
 * anew, and only then the old one goes. A rotation that was interrupted at any step is finished by the next call.
 */
@Injectable()
export class MasterKeyRotation {
  constructor(
    private readonly ring: KeyRing,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
  ) {}

  async rotate(): Promise<Rotation> {
    return this.sql.transaction(async (lock) => {
      const [taken] = await lock.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
        ROTATION_LOCK,
      ]);
      if (!taken?.free) throw new GatewayError('conflict', 'Another rotation of the master key is under way');
      // Whatever this process read at its start, another rotation may have ended since.
      await this.ring.read();
      this.ring.demand();
      const states = await this.#states();
      const retiring = states.get('retiring');
      const old = retiring ? await this.#atHand(retiring) : await this.#atHand(states.get('current')!);
      const fresh = retiring ? await this.#atHand(states.get('current')!) : await this.#promote(old);
      const { rewrapped, damaged } = await this.#rewrap(old, fresh);
      if (this.ring.source.keepsItsOwn) await this.ring.source.replace([fresh]);
      await this.sql.query(`update master_key set state = 'retired' where id = $1`, [old.id]);
      return { from: old.id, to: fresh.id, rewrapped, damaged, next: this.ring.source.afterRotation };
    });
  }

  async #states(): Promise<Map<string, string>> {
    const rows = await this.sql.query<{ id: string; state: string }>(
      `select id, state from master_key where state <> 'retired'`,
    );
    return new Map(rows.map(({ id, state }) => [state, id]));
  }

  async #atHand(id: string): Promise<MasterKey> {
    const key = await this.ring.find(id);
    if (!key)
      throw new GatewayError(
        'unavailable',
        `A rotation was interrupted, and to finish it the master key with the id ${id} is needed: put it back into ${this.ring.source.place}`,
      );
    return key;
  }

  /** Brings a new key into force. Who is creating a data key under the old one is waited for. */
  async #promote(old: MasterKey): Promise<MasterKey> {
    const fresh = await this.#next(old);
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

  /** The key to change to: one that is offered beside the present one, or a new one where the service keeps its keys itself. */
  async #next(old: MasterKey): Promise<MasterKey> {
    const used = new Set((await this.sql.query<{ id: string }>('select id from master_key')).map(({ id }) => id));
    const offered = this.ring.offered.find(({ id }) => !used.has(id));
    const fresh = offered ?? (this.ring.source.keepsItsOwn ? newMasterKey() : undefined);
    if (!fresh) throw new GatewayError('invalid_request', this.ring.source.beforeRotation);
    if (this.ring.source.keepsItsOwn) await this.ring.source.replace([old, fresh]);
    return fresh;
  }

  /** Row by row, each in its own right: nobody waits, and a data key unwraps at any moment by the key that its row names. */
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

/** 1, or 0 where the data key was destroyed meanwhile. */
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

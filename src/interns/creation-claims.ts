import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { newId } from '../kernel/ids.js';
import { internErrors } from './intern.errors.js';
import type { Actor, NewIntern } from './intern-record.js';
import { InternRows } from './intern-rows.js';

/**
 * Longer than a step of a creation usually takes. Each step renews the lease. The step also locks the record until its
 * commit, so that no other request takes over a step that takes longer.
 */
const LEASE = `interval '3 seconds'`;
/** The time for which a completed creation can be replayed. */
const RETENTION_MS = 24 * 3_600_000;

/** A creation that this process works on. */
export interface Claim {
  readonly actor: Actor;
  readonly keyHash: string;
  readonly internId: string;
  readonly fence: number;
}

/** Another request works on this creation, or has taken over the claim of this request. */
export class CreationRunning extends Error {}

interface ClaimRow {
  readonly fingerprint: string;
  readonly intern_id: string;
  readonly fence: number;
  readonly leased: boolean;
  readonly completed_at: Date | null;
}

/** The primary key of a record: member, workspace, hash of the idempotency key. */
type ClaimKey = readonly [userId: string, workspaceId: string, keyHash: string];

const WHERE_KEY = 'creator_user_id = $1 and workspace_id = $2 and key_hash = $3';

/** Idempotency records of creations: the request that works on a creation, and the created intern. */
@Injectable()
export class CreationClaims {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly rows: InternRows,
  ) {}

  /**
   * Returns a claim, or the id of the intern that the same request created before. Throws CreationRunning while another
   * request works on the creation, and idempotency_key_reused if the key belongs to a different request. Does not wait
   * for a locked row, because only a running creation locks it.
   */
  async take(
    actor: Actor,
    request: NewIntern,
    idempotencyKey: string | undefined,
  ): Promise<Claim | { readonly replayOf: string }> {
    const fingerprint = fingerprintOf(request);
    const keyHash = keyHashOf(idempotencyKey, fingerprint);
    const key = [actor.userId, actor.workspaceId, keyHash] as const;
    // One statement is usually enough. Only a repeated request needs the transaction.
    const internId = await this.#insert(this.sql, key, fingerprint);
    if (internId !== undefined) return { actor, keyHash, internId, fence: 1 };
    return this.sql.transaction(async (session) => {
      for (;;) {
        const [found] = await session.query<ClaimRow>(
          `select fingerprint, intern_id, fence, lease_until > clock_timestamp() as leased, completed_at
           from intern_creation where ${WHERE_KEY} for update skip locked`,
          key,
        );
        if (found && !this.#isExpired(found)) {
          if (found.fingerprint !== fingerprint) throw internErrors.keyReused();
          if (found.completed_at) return { replayOf: found.intern_id };
          if (found.leased) throw new CreationRunning();
          const fence = found.fence + 1;
          await session.query(
            `update intern_creation set fence = $4, lease_until = clock_timestamp() + ${LEASE} where ${WHERE_KEY}`,
            [...key, fence],
          );
          return { actor, keyHash, internId: found.intern_id, fence };
        }
        if (found) await session.query(`delete from intern_creation where ${WHERE_KEY}`, key);
        else await this.#refuseLocked(session, key, fingerprint);
        const newInternId = await this.#insert(session, key, fingerprint);
        if (newInternId !== undefined) return { actor, keyHash, internId: newInternId, fence: 1 };
      }
    });
  }

  /**
   * Renews the claim in a step's transaction and locks its row until the commit. Throws CreationRunning if another
   * request has taken over.
   */
  hold(session: SqlSession, claim: Claim): Promise<void> {
    return this.#update(session, claim, `lease_until = clock_timestamp() + ${LEASE}`);
  }

  /**
   * The last step: the creation is complete and the intern may be taken from the queue. Throws CreationRunning if
   * another request has taken over.
   */
  complete(claim: Claim): Promise<void> {
    return this.sql.transaction(async (session) => {
      await this.#update(session, claim, 'completed_at = $5', this.clock.now());
      await this.rows.enqueue(session, claim.internId);
    });
  }

  /** Deletes the record of a refused request. */
  async withdraw(session: SqlSession, claim: Claim): Promise<void> {
    await session.query(`delete from intern_creation where ${WHERE_KEY} and fence = $4`, valuesOf(claim));
  }

  /** Ends the lease after a failure, so that a repeated request need not wait for it. */
  async release(claim: Claim): Promise<void> {
    await this.sql.query(
      `update intern_creation set lease_until = clock_timestamp() where ${WHERE_KEY} and fence = $4`,
      valuesOf(claim),
    );
  }

  /** Deletes the record of the creation of a deleted intern, so that its idempotency key can be used again. */
  async forget(session: SqlSession, internId: string): Promise<void> {
    await session.query('delete from intern_creation where intern_id = $1', [internId]);
  }

  /** Deletes records past their retention. Returns the number of deleted records. */
  async purge(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - RETENTION_MS);
    const deleted = await this.sql.query(
      `delete from intern_creation
       where completed_at < $1 or (completed_at is null and created_at < $1 and lease_until < clock_timestamp())
       returning 1`,
      [before],
    );
    return deleted.length;
  }

  async #update(session: SqlSession, claim: Claim, assignment: string, ...more: readonly unknown[]): Promise<void> {
    const updated = await session.query(
      `update intern_creation set ${assignment} where ${WHERE_KEY} and fence = $4 returning 1`,
      [...valuesOf(claim), ...more],
    );
    if (updated.length === 0) throw new CreationRunning();
  }

  /** Returns the id for the new intern; undefined if the key already has a record. */
  async #insert(session: SqlSession, key: ClaimKey, fingerprint: string): Promise<string | undefined> {
    const now = this.clock.now();
    const internId = newId(now.getTime());
    const inserted = await session.query(
      // Without `not exists`, the insert would wait for a running step that has an uncommitted version of the row.
      `insert into intern_creation (creator_user_id, workspace_id, key_hash, fingerprint, intern_id, fence,
         lease_until, created_at)
       select $1, $2, $3, $4, $5, 1, clock_timestamp() + ${LEASE}, $6
       where not exists (select from intern_creation where ${WHERE_KEY})
       on conflict do nothing returning 1`,
      [...key, fingerprint, internId, now],
    );
    return inserted.length > 0 ? internId : undefined;
  }

  /**
   * Throws if the row exists, because it is then locked by a running creation: CreationRunning for the same request,
   * otherwise idempotency_key_reused.
   */
  async #refuseLocked(session: SqlSession, key: ClaimKey, fingerprint: string): Promise<void> {
    const [locked] = await session.query<Pick<ClaimRow, 'fingerprint'>>(
      `select fingerprint from intern_creation where ${WHERE_KEY}`,
      key,
    );
    if (!locked) return;
    throw locked.fingerprint === fingerprint ? new CreationRunning() : internErrors.keyReused();
  }

  #isExpired({ completed_at: at }: ClaimRow): boolean {
    return at !== null && at.getTime() + RETENTION_MS <= this.clock.now().getTime();
  }
}

/** $1 to $4 of a statement on a claim's row. */
const valuesOf = ({ actor, keyHash, fence }: Claim): unknown[] => [actor.userId, actor.workspaceId, keyHash, fence];

/** SHA-256 (hex) of the request as JSON with sorted members. Equal requests have equal fingerprints. */
function fingerprintOf(request: NewIntern): string {
  const members = Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(Object.fromEntries(members)), 'hex');
}

/** The prefixes prevent collisions between given keys and keys derived from the request. */
const keyHashOf = (givenKey: string | undefined, fingerprint: string): string =>
  hash('sha256', givenKey === undefined ? `derived:${fingerprint}` : `given:${givenKey}`, 'hex');

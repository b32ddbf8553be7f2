import { Injectable } from '@nestjs/common';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { newId } from '../kernel/ids.js';
import { internErrors } from './intern.errors.js';
import type { Actor } from './intern-record.js';
import { QUEUED_FOR } from './patience.js';

/** No step of a creation takes longer; each one renews it. */
const LEASE = `interval '3 seconds'`;
/** How long a completed creation is remembered. */
const KEPT_MS = 24 * 3_600_000;

/** A creation that this process works on. */
export interface Claim {
  readonly actor: Actor;
  readonly keyHash: string;
  readonly internId: string;
  readonly fence: number;
}

interface ClaimRow {
  readonly fingerprint: string;
  readonly intern_id: string;
  readonly fence: number;
  readonly leased: boolean;
  readonly completed_at: Date | null;
}

const WHERE = 'creator_user_id = $1 and workspace_id = $2 and key_hash = $3';

/** Idempotency records: who works on a creation, and what came of it. */
@Injectable()
export class CreationClaims {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** A claim to work under, or the id of the intern that the same request made before. Throws where neither can be. */
  async take(actor: Actor, keyHash: string, fingerprint: string): Promise<Claim | { readonly replayOf: string }> {
    // The usual case is one statement; only a request that was seen before needs a closer look.
    const fresh = await this.#insert(this.sql, actor, keyHash, fingerprint);
    if (fresh) return fresh;
    const key = [actor.userId, actor.workspaceId, keyHash];
    return this.sql.transaction(async (session) => {
      for (;;) {
        const [found] = await session.query<ClaimRow>(
          `select fingerprint, intern_id, fence, lease_until > clock_timestamp() as leased, completed_at from intern_creation where ${WHERE} for update`,
          key,
        );
        if (found && !this.#isForgotten(found)) return this.#judge(session, found, fingerprint, { actor, keyHash });
        if (found) await session.query(`delete from intern_creation where ${WHERE}`, key);
        const made = await this.#insert(session, actor, keyHash, fingerprint);
        if (made) return made;
      }
    });
  }

  /** Renews the claim inside a step's transaction, and holds its row until the step commits. Throws where another has taken over. */
  async hold(session: SqlSession, { actor, keyHash, fence }: Claim): Promise<void> {
    const held = await session.query(
      `update intern_creation set lease_until = clock_timestamp() + ${LEASE} where ${WHERE} and fence = $4 returning 1`,
      [actor.userId, actor.workspaceId, keyHash, fence],
    );
    if (held.length === 0) throw internErrors.inProgress();
  }

  /**
   * The last step, in one statement: the intern, where it is to be provisioned, may be taken from the queue, and the creation is
   * complete. Throws where another has taken over.
   */
  async complete({ actor, keyHash, fence }: Claim): Promise<void> {
    const [done] = await this.sql.query<{ done: boolean }>(
      `with done as (update intern_creation set completed_at = $5 where ${WHERE} and fence = $4 returning intern_id),
         queued as (update intern set wake_at = clock_timestamp(), deadline = clock_timestamp() + ${QUEUED_FOR}
           where id in (select intern_id from done) and status = 'queued' and fence = 0 returning id)
       select exists (select from done) as done, (select count(pg_notify('intern_work', '')) from queued)`,
      [actor.userId, actor.workspaceId, keyHash, fence, this.clock.now()],
    );
    if (!done!.done) throw internErrors.inProgress();
  }

  /** A refused request leaves nothing behind. */
  async withdraw(session: SqlSession, { actor, keyHash }: Claim): Promise<void> {
    await session.query(`delete from intern_creation where ${WHERE}`, [actor.userId, actor.workspaceId, keyHash]);
  }

  /** After a failure: whoever sends the request again need not wait for the lease. */
  async letGo({ actor, keyHash, fence }: Claim): Promise<void> {
    await this.sql.query(`update intern_creation set lease_until = clock_timestamp() where ${WHERE} and fence = $4`, [
      actor.userId,
      actor.workspaceId,
      keyHash,
      fence,
    ]);
  }

  /** Drops records that nobody can ask for any more. Answers how many. */
  async purge(): Promise<number> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    const gone = await this.sql.query(
      'delete from intern_creation where completed_at < $1 or (completed_at is null and created_at < $1 and lease_until < clock_timestamp()) returning 1',
      [before],
    );
    return gone.length;
  }

  async #insert(session: SqlSession, actor: Actor, keyHash: string, fingerprint: string): Promise<Claim | undefined> {
    const internId = newId(this.clock.now().getTime());
    const made = await session.query(
      `insert into intern_creation (creator_user_id, workspace_id, key_hash, fingerprint, intern_id, fence, lease_until, created_at)
       values ($1, $2, $3, $4, $5, 1, clock_timestamp() + ${LEASE}, $6) on conflict do nothing returning 1`,
      [actor.userId, actor.workspaceId, keyHash, fingerprint, internId, this.clock.now()],
    );
    return made.length > 0 ? { actor, keyHash, internId, fence: 1 } : undefined;
  }

  async #judge(
    session: SqlSession,
    found: ClaimRow,
    fingerprint: string,
    { actor, keyHash }: Pick<Claim, 'actor' | 'keyHash'>,
  ): Promise<Claim | { readonly replayOf: string }> {
    if (found.fingerprint !== fingerprint) throw internErrors.keyReused();
    if (found.completed_at) return { replayOf: found.intern_id };
    if (found.leased) throw internErrors.inProgress();
    const fence = found.fence + 1;
    await session.query(
      `update intern_creation set fence = $4, lease_until = clock_timestamp() + ${LEASE} where ${WHERE}`,
      [actor.userId, actor.workspaceId, keyHash, fence],
    );
    return { actor, keyHash, internId: found.intern_id, fence };
  }

  #isForgotten({ completed_at: at }: ClaimRow): boolean {
    return at !== null && at.getTime() + KEPT_MS <= this.clock.now().getTime();
  }
}

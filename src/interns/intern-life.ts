import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { InternKeys } from '../auth/intern-keys.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { isUuid } from '../kernel/ids.js';
import { internErrors } from './intern.errors.js';
import { auditedAs, INTERN_COLUMNS, type Actor, type InternRecord } from './intern-record.js';
import { outcomeOf, type InternRequest, type InternStatus } from './lifecycle.js';
import { isNameTaken } from './name-taken.js';
import { DESTROYING_FOR, QUEUED_FOR } from './patience.js';

export interface InternChanges {
  readonly name?: string;
  readonly description?: string | null;
  readonly instructions?: string | null;
  readonly model?: string | null;
}

export interface ListedIntern extends InternRecord {
  readonly no: number;
}

export interface InternFilter {
  readonly statuses: readonly InternStatus[];
  /** The `no` of the last intern of the page before. */
  readonly startingAfter: number | null;
  readonly limit: number;
}

const COLUMN_OF: Record<keyof InternChanges, string> = {
  name: 'name',
  description: 'description',
  instructions: 'instructions',
  model: 'model',
};

/** What callers ask of interns they see. Every request goes through the table of transitions. */
@Injectable()
export class InternLife {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditTrail,
    private readonly keys: InternKeys,
  ) {}

  /** The member's own interns in the workspace, newest first. */
  async list(actor: Actor, { statuses, startingAfter, limit }: InternFilter): Promise<ListedIntern[]> {
    return this.sql.query<ListedIntern>(
      `select ${INTERN_COLUMNS}, no from intern
       where workspace_id = $1 and creator_user_id = $2 and ($3::text[] is null or status = any($3)) and ($4::int is null or no < $4) order by no desc limit $5`,
      [actor.workspaceId, actor.userId, statuses.length > 0 ? statuses : null, startingAfter, limit],
    );
  }

  async find({ workspaceId, userId }: Actor, id: string): Promise<InternRecord | undefined> {
    if (!isUuid(id)) return undefined;
    const [intern] = await this.sql.query<InternRecord>(
      `select ${INTERN_COLUMNS} from intern where id = $1 and workspace_id = $2 and creator_user_id = $3`,
      [id, workspaceId, userId],
    );
    return intern;
  }

  async get(actor: Actor, id: string): Promise<InternRecord> {
    const intern = await this.find(actor, id);
    if (!intern) throw internErrors.notFound();
    return intern;
  }

  async update(actor: Actor, id: string, changes: InternChanges): Promise<InternRecord> {
    const given = (Object.keys(COLUMN_OF) as (keyof InternChanges)[]).filter((field) => changes[field] !== undefined);
    const assignments = [...given.map((field, at) => `${COLUMN_OF[field]} = $${at + 3}`), 'updated_at = $2'].join(', ');
    try {
      return await this.#request(actor, id, 'update', async (session) => {
        if (given.length > 0)
          await session.query(`update intern set ${assignments} where id = $1`, [
            id,
            this.clock.now(),
            ...given.map((field) => changes[field]),
          ]);
      });
    } catch (error) {
      throw isNameTaken(error) ? internErrors.nameTaken(changes.name!) : error;
    }
  }

  /** Puts the intern in the queue, from which a worker boots it; nothing where it is on its way or runs already. */
  async provision(actor: Actor, id: string): Promise<void> {
    await this.#request(actor, id, 'provision', async (session, outcome) => {
      if (outcome === 'same') return;
      await session.query(
        `update intern set status = $2, last_failure_message = null, attempts = 0, fence = fence + 1, wake_at = clock_timestamp(), deadline = clock_timestamp() + ${QUEUED_FOR}, updated_at = $3 where id = $1`,
        [id, outcome, this.clock.now()],
      );
      await session.query(`select pg_notify('intern_work', '')`);
    });
  }

  /**
   * Takes the intern away from the worker that runs it: the fence grows, the lease stays, so that nobody else begins before the
   * runtime is gone. The worker stops it and lets go; where the worker is dead, its runtime is too, and another tidies up.
   */
  async suspend(actor: Actor, id: string): Promise<void> {
    await this.#request(actor, id, 'suspend', async (session, outcome) => {
      if (outcome === 'same') return;
      await session.query(
        `update intern set status = $2, fence = fence + 1, wake_at = clock_timestamp(), deadline = null, progress_step = null, updated_at = $3 where id = $1`,
        [id, outcome, this.clock.now()],
      );
      await this.keys.revoke(session, id);
      await session.query(`select pg_notify('intern_work', '')`);
    });
  }

  /** `acknowledgeLoss`: the intern may go although its disk cannot be removed. */
  async delete(actor: Actor, id: string, acknowledgeLoss: boolean): Promise<void> {
    await this.#request(actor, id, 'delete', async (session, outcome) => {
      if (acknowledgeLoss) await session.query('update intern set loss_acknowledged = true where id = $1', [id]);
      if (outcome === 'same') return;
      await session.query(
        `update intern set status = $2, last_failure_message = null, attempts = 0, fence = fence + 1, wake_at = clock_timestamp(), deadline = clock_timestamp() + ${DESTROYING_FOR}, progress_step = null, updated_at = $3 where id = $1`,
        [id, outcome, this.clock.now()],
      );
      await this.keys.revoke(session, id);
      await session.query(`select pg_notify('intern_work', '')`);
    });
  }

  /** Waits until no runtime of the intern can be there, but not for long: the answer to a suspension does not hang on it. */
  async untilAtRest(id: string, pause: () => Promise<void>, looks: number): Promise<void> {
    for (let look = 0; look < looks; look++) {
      const [row] = await this.sql.query<{ booted: boolean }>(
        `select booted_fence is not null as booted from intern where id = $1 and status = 'stopped'`,
        [id],
      );
      if (!row?.booted) return;
      await pause();
    }
  }

  async #request(
    actor: Actor,
    id: string,
    request: InternRequest,
    act: (session: SqlSession, outcome: string) => Promise<void>,
  ): Promise<InternRecord> {
    if (!isUuid(id)) throw internErrors.notFound();
    return this.sql.transaction(async (session) => {
      const visible = `from intern where id = $1 and workspace_id = $2 and creator_user_id = $3`;
      const [found] = await session.query<{ status: InternStatus }>(`select status ${visible} for update`, [
        id,
        actor.workspaceId,
        actor.userId,
      ]);
      if (!found) throw internErrors.notFound();
      const outcome = outcomeOf(found.status, request);
      if (outcome === 'refused') throw internErrors.busy(found.status, request);
      await act(session, outcome);
      await this.audit.record({ ...auditedAs(actor), action: request, kind: 'intern', id }, session);
      const [intern] = await session.query<InternRecord>(`select ${INTERN_COLUMNS} ${visible}`, [
        id,
        actor.workspaceId,
        actor.userId,
      ]);
      return intern!;
    });
  }
}

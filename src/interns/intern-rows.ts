import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { newId } from '../kernel/ids.js';
import { hostnameOf, LostLease, type Actor, type InternFields, type Job, type NewIntern } from './intern-record.js';
import { firstStatus, outcomeOf, type InternReport, type InternStatus } from './lifecycle.js';

/** How long an intern may be queued. */
const QUEUE_TIMEOUT = `interval '10 minutes'`;
/** How long the teardown of a deleted intern may take, retries included. */
const TEARDOWN_TIMEOUT = `interval '2 minutes'`;

const JOB_COLUMNS = `i.id as "internId", i.no, i.worker as claim, i.fence, i.status, i.account_id as "accountId",
  i.workspace_id as "workspaceId", i.creator_user_id as "creatorUserId", i.creator_key_no as "creatorKeyNo",
  i.name, i.description, i.instructions, i.model, i.hostname, i.attempts, i.booted_fence is not null as "wasBooted",
  coalesce(i.deadline <= clock_timestamp(), false) as "isPastDeadline",
  (extract(epoch from i.deadline - clock_timestamp()) * 1000)::float8 as "deadlineInMs",
  i.loss_acknowledged as "lossAcknowledged"`;

const FIELDS = ['name', 'description', 'instructions', 'model'] as const;

/** Whether a statement failed because the member already has an intern with the same name in the workspace. */
export function isNameTaken(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'intern_workspace_id_creator_user_id_name_unique';
}

interface RestOptions {
  readonly from: InternStatus;
  readonly report: InternReport;
  readonly message: string;
  /** Milliseconds until a worker looks for a remaining runtime; null = no runtime remains. */
  readonly tidyAfterMs: number | null;
}

/**
 * The writes of an intern's fields, status and lease, one method per transition; lifecycle.ts defines the transitions.
 * Leases and deadlines use the database clock. Methods with a Job write only while the row has the job's fence. They
 * throw LostLease if another worker or request has taken over the intern, which increases the fence.
 */
@Injectable()
export class InternRows {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  get leaseMs(): number {
    return this.config.values.INTERN_LEASE_MS;
  }

  /** A queued intern is taken only after `enqueue`. Without `enqueue` it expires after QUEUE_TIMEOUT. */
  async insert(session: SqlSession, id: string, actor: Actor, request: NewIntern): Promise<void> {
    const { name, description, instructions, vaultId, provision } = request;
    const status = firstStatus(provision, this.config.values.INTERN_CHAT_INSTALL_REQUIRED);
    const owner = [actor.accountId, actor.workspaceId, actor.userId, actor.keyNo];
    await session.query(
      `insert into intern (id, account_id, workspace_id, creator_user_id, creator_key_no, name, description,
         instructions, status, attached_vault_id, loss_acknowledged, fence, attempts,
         wake_at, deadline, created_at, updated_at)
       select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false, 0, 0, due, due, $11, $11
       from (select case when $9 = 'queued' then now() + ${QUEUE_TIMEOUT} end as due)`,
      [id, ...owner, name, description, instructions, status, vaultId, this.clock.now()],
    );
  }

  /** The last step of a creation: if the intern is to be provisioned, workers may take it now. */
  async enqueue(session: SqlSession, id: string): Promise<void> {
    await session.query(
      `with queued as (
         update intern set wake_at = clock_timestamp(), deadline = clock_timestamp() + ${QUEUE_TIMEOUT}
         where id = $1 and status = 'queued' and fence = 0 returning id)
       select pg_notify('intern_work', '') from queued`,
      [id],
    );
  }

  /** This method and the next ones, up to `acknowledgeLoss`, run in a transaction that has locked the row. */
  async setFields(session: SqlSession, id: string, fields: InternFields): Promise<void> {
    const changed = FIELDS.filter((field) => fields[field] !== undefined);
    if (changed.length === 0) return;
    await session.query(
      `update intern set updated_at = $2, ${changed.map((field, at) => `${field} = $${at + 3}`).join()} where id = $1`,
      [id, this.clock.now(), ...changed.map((field) => fields[field])],
    );
  }

  provision(session: SqlSession, id: string): Promise<void> {
    return this.#wake(
      session,
      id,
      `status = 'queued', last_failure_message = null, attempts = 0, deadline = clock_timestamp() + ${QUEUE_TIMEOUT}`,
    );
  }

  /** The lease stays, so that no worker takes the intern before its runtime has ended. */
  suspend(session: SqlSession, id: string): Promise<void> {
    return this.#wake(session, id, `status = 'stopped', deadline = null, progress_step = null`);
  }

  startDestroying(session: SqlSession, id: string): Promise<void> {
    return this.#wake(
      session,
      id,
      `status = 'destroying', last_failure_message = null, attempts = 0, progress_step = null,
       deadline = clock_timestamp() + ${TEARDOWN_TIMEOUT}`,
    );
  }

  async acknowledgeLoss(session: SqlSession, id: string): Promise<void> {
    await session.query('update intern set loss_acknowledged = true where id = $1', [id]);
  }

  /** Leases up to `limit` interns that are due and not leased; with `overdueOnly`, only interns past their deadline. */
  take(limit: number, overdueOnly = false): Promise<Job[]> {
    return this.sql.query<Job>(
      `update intern i set fence = i.fence + 1, worker = $1, replica_url = $4,
         lease_until = clock_timestamp() + $2 * interval '1 millisecond'
       from (select id from intern
             where wake_at <= clock_timestamp() and (lease_until is null or lease_until <= clock_timestamp())
               and (not $5 or deadline <= clock_timestamp())
             order by wake_at limit $3 for update skip locked) due
       where i.id = due.id
       returning ${JOB_COLUMNS}`,
      [newId(), this.leaseMs, limit, this.config.values.REPLICA_URL ?? null, overdueOnly],
    );
  }

  /**
   * Renews the leases of the jobs whose fence is current and whose deadline has not passed. Returns the interns' ids.
   */
  async renew(jobs: readonly Job[]): Promise<ReadonlySet<string>> {
    const renewed = await this.sql.query<{ id: string }>(
      `update intern i set lease_until = clock_timestamp() + $3 * interval '1 millisecond'
       from unnest($1::uuid[], $2::int[]) as held(id, fence)
       where i.id = held.id and i.fence = held.fence and (i.deadline is null or i.deadline > clock_timestamp())
       returning i.id`,
      [jobs.map((job) => job.internId), jobs.map((job) => job.fence), this.leaseMs],
    );
    return new Set(renewed.map(({ id }) => id));
  }

  /**
   * Changes the status `queued` to `provisioning`, with a new deadline. A job that is already provisioning keeps its
   * deadline. Returns the milliseconds until the deadline.
   */
  async startProvisioning(job: Job): Promise<number> {
    const limitMs = this.config.values.INTERN_PROVISION_TIMEOUT_MS;
    if (job.status !== 'queued') return job.deadlineInMs ?? limitMs;
    await this.#write(
      job,
      `status = 'provisioning', progress_step = 1, attempts = 0, updated_at = $3,
       deadline = clock_timestamp() + $4 * interval '1 millisecond'`,
      [this.clock.now(), limitMs],
    );
    return limitMs;
  }

  setProgress(job: Job, step: number): Promise<void> {
    return this.#write(job, 'progress_step = $3', [step]);
  }

  /** Records that a runtime of the intern may exist from now on. */
  markBooting(job: Job, session: SqlSession): Promise<void> {
    return this.#write(job, 'booted_fence = fence', [], session);
  }

  setRunning(job: Job): Promise<void> {
    return this.#write(
      job,
      `status = 'running', hostname = coalesce(hostname, $3), progress_step = null, deadline = null, attempts = 0,
       last_failure_message = null, updated_at = $4`,
      [hostnameOf(job, this.config.values.INTERN_HOST_SUFFIX), this.clock.now()],
    );
  }

  /** Changes to a status at rest. A worker takes the intern again only to look for a remaining runtime. */
  rest(job: Job, { from, report, message, tidyAfterMs }: RestOptions, session: SqlSession): Promise<void> {
    return this.#write(
      job,
      `fence = fence + 1, status = $3, last_failure_message = $4, updated_at = $5, attempts = 0, progress_step = null,
       deadline = null, lease_until = null, worker = null,
       booted_fence = case when $6::int is not null then booted_fence end,
       wake_at = clock_timestamp() + $6 * interval '1 millisecond'`,
      [outcomeOf(from, report), message, this.clock.now(), tidyAfterMs],
      session,
    );
  }

  /** Returns the intern to the queue in the same status. Workers take it again after `pauseMs`. */
  requeue(job: Job, pauseMs: number): Promise<void> {
    return this.#write(
      job,
      `fence = fence + 1, attempts = least(attempts + 1, 1000), lease_until = null, worker = null,
       wake_at = clock_timestamp() + $3 * interval '1 millisecond'`,
      [pauseMs],
    );
  }

  /**
   * Call this after the runtime of a lost intern has ended, so that the next worker need not wait for the lease. The
   * fence may have grown; the claim shows whether another worker has taken the intern since.
   */
  async release({ internId, claim }: Job): Promise<void> {
    await this.sql.query(
      `with released as (
         update intern set lease_until = null, worker = null, booted_fence = null,
           wake_at = case when status in ('queued', 'provisioning', 'running', 'destroying') then clock_timestamp() end
         where id = $1 and worker = $2 returning id)
       select pg_notify('intern_work', '') from released`,
      [internId, claim],
    );
  }

  /** Locks the row until the transaction ends, if the row still has the fence. */
  async lock({ internId, fence }: Job, session: SqlSession): Promise<void> {
    const statement = 'select 1 from intern where id = $1 and fence = $2 for update';
    if ((await session.query(statement, [internId, fence])).length === 0) throw new LostLease(internId);
  }

  /** The last step of a teardown, after `lock`. */
  async delete({ internId }: Job, session: SqlSession): Promise<void> {
    await session.query('delete from intern where id = $1', [internId]);
  }

  /** Increases the fence, so that the intern has no worker. Makes the intern due, and notifies the workers. */
  async #wake(session: SqlSession, id: string, assignments: string): Promise<void> {
    await session.query(
      `with woken as (
         update intern set ${assignments}, fence = fence + 1, wake_at = clock_timestamp(), updated_at = $2
         where id = $1 returning id)
       select pg_notify('intern_work', '') from woken`,
      [id, this.clock.now()],
    );
  }

  async #write(
    { internId, fence }: Job,
    assignments: string,
    params: readonly unknown[],
    session: SqlSession = this.sql,
  ): Promise<void> {
    const statement = `update intern set ${assignments} where id = $1 and fence = $2 returning 1`;
    const written = await session.query(statement, [internId, fence, ...params]);
    if (written.length === 0) throw new LostLease(internId);
  }
}

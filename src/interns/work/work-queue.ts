import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Sql, type SqlSession } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { LostLease, type Job } from './job.js';

/**
 * The rows that workers take: due ones, under a lease, with a fence that grows at every change of hands. All times are the
 * database's. Nothing here changes a row whose fence is not the worker's.
 */
@Injectable()
export class WorkQueue {
  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  get leaseMs(): number {
    return this.config.values.INTERN_LEASE_MS;
  }

  /** Takes at most so many interns that need something done and that nobody holds. */
  async take(limit: number): Promise<Job[]> {
    return this.sql.query<Job>(
      `update intern i set fence = i.fence + 1, worker = $1, lease_until = clock_timestamp() + $2 * interval '1 millisecond'
       from (select id from intern where wake_at <= clock_timestamp() and (lease_until is null or lease_until <= clock_timestamp())
             order by wake_at limit $3 for update skip locked) due
       where i.id = due.id
       returning i.id as "internId", i.no, i.worker as claim, i.fence, i.status, i.account_id as "accountId", i.workspace_id as "workspaceId", i.creator_user_id as "creatorUserId",
         i.name, i.instructions, i.model, i.hostname, i.attempts, i.booted_fence is not null as "wasBooted", coalesce(i.deadline <= clock_timestamp(), false) as "isPastDeadline",
         i.loss_acknowledged as "lossAcknowledged"`,
      [newId(), this.leaseMs, limit],
    );
  }

  /** Renews the leases that are still theirs and within their deadline; answers the ids of those. */
  async renew(jobs: readonly Job[]): Promise<ReadonlySet<string>> {
    const renewed = await this.sql.query<{ id: string }>(
      `update intern i set lease_until = clock_timestamp() + $3 * interval '1 millisecond'
       from unnest($1::uuid[], $2::int[]) as held(id, fence)
       where i.id = held.id and i.fence = held.fence and (i.deadline is null or i.deadline > clock_timestamp()) returning i.id`,
      [jobs.map((job) => job.internId), jobs.map((job) => job.fence), this.leaseMs],
    );
    return new Set(renewed.map(({ id }) => id));
  }

  /** Writes under the fence; `assignments` are SQL of ours, their parameters from $3 on. Throws LostLease where the fence has moved on. */
  async write(
    job: Job,
    assignments: string,
    params: readonly unknown[] = [],
    session: SqlSession = this.sql,
  ): Promise<void> {
    const written = await session.query(`update intern set ${assignments} where id = $1 and fence = $2 returning 1`, [
      job.internId,
      job.fence,
      ...params,
    ]);
    if (written.length === 0) throw new LostLease(job.internId);
  }

  /** Locks the row under the fence until the transaction ends. */
  async hold(job: Job, session: SqlSession): Promise<void> {
    const held = await session.query('select 1 from intern where id = $1 and fence = $2 for update', [
      job.internId,
      job.fence,
    ]);
    if (held.length === 0) throw new LostLease(job.internId);
  }

  /**
   * After the runtime of a lost intern was ended: whoever comes next need not wait for the lease. Only where nobody has taken it
   * since, which the claim tells; `fence` may have moved on.
   */
  async letGo({ internId, claim }: Job): Promise<void> {
    await this.sql.query(
      `update intern set lease_until = null, worker = null, booted_fence = null,
         wake_at = case when status in ('queued', 'provisioning', 'running', 'destroying') then clock_timestamp() end
       where id = $1 and worker = $2`,
      [internId, claim],
    );
    await this.sql.query(`select pg_notify('intern_work', '')`);
  }
}

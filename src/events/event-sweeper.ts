import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { dropContents } from './event-contents.js';

const SWEEP_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;
/** Exported records are large and numerous, so they are kept only slightly longer than deliveries are retried. */
const BATCH_RETENTION_DAYS = 4;
/** Events that occur at most once per window are kept for more than a month. */
const ONCE_RETENTION_DAYS = 62;
const BATCH = 5_000;
const SWEEP_TIMEOUT_MS = 60_000;

/** Deletes old events and the log of their deliveries. */
@Injectable()
export class EventSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(EventSweeper.name);
  readonly #rounds = new Periodic(
    () => this.remove(),
    (error) => this.#log.warn(`Old events could not be deleted; this is retried: ${error.message}`),
  );

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#rounds.start(SWEEP_EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#rounds.stop();
  }

  async remove(): Promise<void> {
    const daysAgo = (days: number): Date => new Date(this.clock.now().getTime() - days * DAY_MS);
    await dropContents(this.sql);
    // Delete deliveries first, because the log of a webhook joins their events.
    await this.#inBatches('webhook_delivery', 'd.created_at < $1', daysAgo(RETENTION_DAYS));
    await this.#inBatches('event', `d.created_at < $1 and d.once is null`, daysAgo(RETENTION_DAYS));
    await this.#inBatches('event', 'd.created_at < $1', daysAgo(ONCE_RETENTION_DAYS));
    await this.#inBatches(
      'webhook_delivery',
      `d.created_at < $1 and d.next_at is null and exists (
         select from event e where e.id = d.event_id and e.type = 'generation.completed')`,
      daysAgo(BATCH_RETENTION_DAYS),
    );
    await this.#inBatches(
      'event',
      `d.created_at < $1 and d.type = 'generation.completed'
         and not exists (select from webhook_delivery o where o.event_id = d.id)`,
      daysAgo(BATCH_RETENTION_DAYS),
    );
  }

  async #inBatches(table: string, condition: string, before: Date): Promise<void> {
    for (;;) {
      const removed = await this.sql.query(
        `delete from ${table} where id in (select d.id from ${table} d where ${condition} limit $2)
         returning 1 as gone`,
        [before, BATCH],
        { timeoutMs: SWEEP_TIMEOUT_MS },
      );
      if (removed.length < BATCH) return;
    }
  }
}

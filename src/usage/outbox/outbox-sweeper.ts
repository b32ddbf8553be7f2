import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { removeOldContents } from '../generation-contents.js';
import { countUsage } from '../totals/count-usage.js';

const TRIM_EVERY_MS = 60_000;
/** Entries are kept for one to two of these periods. A slower follower reads the records again. */
const RETENTION_MINUTES = 60;
/** Unread entries are deleted if the export of records or the feed of ClickHouse has not read for this time. */
const MAX_DELAY_DAYS = 3;
const MAX_ENTRIES_PER_TRIM = 50_000;
const TRIM_TIMEOUT_MS = 120_000;

/**
 * Deletes outbox entries that followers have had time to read and that are in the totals. The generation records stay.
 */
@Injectable()
export class OutboxSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(OutboxSweeper.name);
  readonly #trims = new Periodic(
    () => this.#sweep(),
    (error) => this.#log.warn(`The outbox could not be trimmed; this is retried: ${error.message}`),
  );

  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.#trims.start(TRIM_EVERY_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.#trims.stop();
  }

  async #sweep(): Promise<void> {
    await this.trim();
    await removeOldContents(this.sql);
  }

  /**
   * Makes the last mark the boundary when the mark is `keptMinutes` old. Deletes entries before the boundary, at most
   * MAX_ENTRIES_PER_TRIM. Returns the number of deleted entries; 0 while another replica trims.
   */
  async trim(keptMinutes = RETENTION_MINUTES): Promise<number> {
    return this.sql.transaction(
      async (session) => {
        const [state] = await session.query<{ due: boolean; mark: string }>(
          `select mark_at <= now() - make_interval(mins => $1) as due, mark_xid::text as mark
           from usage_feed for update skip locked`,
          [keptMinutes],
        );
        if (!state) return 0;
        if (state.due) {
          // The old mark becomes the boundary. When the new mark becomes the boundary, every transaction before it has
          // ended. The export of records and the feed of ClickHouse read every entry, so the boundary does not
          // pass their positions. A reader that has not read for MAX_DELAY_DAYS is ignored.
          await session.query(
            `update usage_feed
             set trimmed_to = greatest(trimmed_to, least(mark_xid,
                 (select pg_snapshot_xmin(seen) from export_position
                  where read_at > now() - interval '${MAX_DELAY_DAYS} days'),
                 (select pg_snapshot_xmin(seen) from clickhouse_feed
                  where read_at > now() - interval '${MAX_DELAY_DAYS} days'))),
               mark_xid = pg_snapshot_xmin(pg_current_snapshot()), mark_at = now()`,
          );
        }
        // Adds every call before the boundary to the totals, because all transactions before the boundary have ended.
        await countUsage(session, { maxSeries: this.config.values.METRICS_MAX_SERIES, waits: true });
        const removed = await session.query(
          `delete from outbox where (xid, seq) in (
             select xid, seq from outbox where xid < (select trimmed_to from usage_feed) order by xid, seq limit $1)
           returning seq`,
          [MAX_ENTRIES_PER_TRIM],
        );
        return removed.length;
      },
      { timeoutMs: TRIM_TIMEOUT_MS, byIndex: true },
    );
  }
}

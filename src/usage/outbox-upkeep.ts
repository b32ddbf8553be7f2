import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Sql } from '../database/sql.js';

const EVERY_MS = 60_000;
/** Entries stay for between one and two of these; who follows more slowly reads the records again. */
const KEPT_MINUTES = 60;
const MOST_AT_ONCE = 50_000;

/** Removes what followers have had the time to read from the outbox. The records themselves stay. */
@Injectable()
export class OutboxUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(OutboxUpkeep.name);
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly sql: Sql) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(
      () =>
        void this.trim().catch((error: Error) =>
          this.#log.warn(`The outbox was not trimmed, and will be later: ${error.message}`),
        ),
      EVERY_MS,
    );
    this.#timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  /** Answers how many entries were removed. Replicas take turns. `keptMinutes` after a mark, all before it goes. */
  async trim(keptMinutes = KEPT_MINUTES): Promise<number> {
    return this.sql.transaction(async (session) => {
      // Whoever finds the row locked leaves the work to the one who holds it.
      const [state] = await session.query<{ due: boolean; mark: string }>(
        `select mark_at <= now() - make_interval(mins => $1) as due, mark_xid::text as mark from usage_feed for update skip locked`,
        [keptMinutes],
      );
      if (!state) return 0;
      if (state.due) {
        // The mark becomes the border; every transaction before the new mark is over by then.
        await session.query(
          'update usage_feed set trimmed_to = mark_xid, mark_xid = pg_snapshot_xmin(pg_current_snapshot()), mark_at = now()',
        );
      }
      const removed = await session.query(
        `delete from outbox where (xid, seq) in (select xid, seq from outbox where xid < (select trimmed_to from usage_feed) order by xid, seq limit $1) returning seq`,
        [MOST_AT_ONCE],
      );
      return removed.length;
    });
  }
}

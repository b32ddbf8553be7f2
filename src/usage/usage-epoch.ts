import { Injectable } from '@nestjs/common';
import type { InTransaction } from '../database/session-of.js';
import { Sql } from '../database/sql.js';

/** The epoch of the columnar copies. */
@Injectable()
export class UsageEpoch {
  constructor(private readonly sql: Sql) {}

  /** Makes every replica drop its copy and rebuild it from the records. Until then, queries read the records. */
  async renew(inTransaction?: InTransaction<{ readonly epoch: string }>): Promise<void> {
    await this.sql.transaction(async (session) => {
      const [feed] = await session.query<{ epoch: string }>(
        'update usage_feed set epoch = gen_random_uuid() returning epoch::text as epoch',
      );
      await inTransaction?.(feed!, session);
    });
  }
}

import { Injectable } from '@nestjs/common';
import type { Alongside } from '../database/session-of.js';
import { Sql } from '../database/sql.js';

/** The generation of the columnar copies. */
@Injectable()
export class UsageEpoch {
  constructor(private readonly sql: Sql) {}

  /** Every replica drops its copy and builds it anew from the records; until then the records answer. */
  async renew(alongside?: Alongside<{ readonly epoch: string }>): Promise<void> {
    await this.sql.transaction(async (session) => {
      const [feed] = await session.query<{ epoch: string }>(
        'update usage_feed set epoch = gen_random_uuid() returning epoch::text as epoch',
      );
      await alongside?.(feed!, session);
    });
  }
}

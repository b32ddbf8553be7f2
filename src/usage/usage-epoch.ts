import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';

/** The generation of the columnar copies. */
@Injectable()
export class UsageEpoch {
  constructor(private readonly sql: Sql) {}

  /** Every replica drops its copy and builds it anew from the records; until then the records answer. */
  async renew(): Promise<void> {
    await this.sql.query('update usage_feed set epoch = gen_random_uuid()');
  }
}

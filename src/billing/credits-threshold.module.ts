import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Sql } from '../database/sql.js';
import { usdToNano } from '../kernel/money.js';

/**
 * Copies CREDITS_LOW_USD to the rows of the balances when a service starts. Settlements compare the credits with the
 * copied value. Operator commands do not load this module.
 */
@Module({})
export class CreditsThresholdModule implements OnApplicationBootstrap {
  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const low = usdToNano(this.config.values.CREDITS_LOW_USD);
    await this.sql.transaction(async (session) => {
      await session.query('update event_setting set credits_low = $1 where credits_low <> $1', [low]);
      await session.query('update account_balance set low_at = $1 where low_at <> $1', [low]);
    });
  }
}

import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { existsSync } from 'node:fs';
import { Config } from '../config/config.js';
import { FollowerProcess } from './drivers/duckdb/follower-process.js';
import { OutboxUpkeep } from './outbox-upkeep.js';
import { UsageModule } from './usage.module.js';

/** What a running service does for its usage records in the background; a command of the operator does not. */
@Module({ imports: [UsageModule], providers: [OutboxUpkeep] })
export class UsageUpkeepModule implements OnApplicationBootstrap {
  constructor(
    private readonly follower: FollowerProcess,
    private readonly config: Config,
  ) {}

  /** A store that was used before goes on following at once; a new one begins with the first query, and costs nothing until then. */
  onApplicationBootstrap(): void {
    if (this.config.values.ANALYTICS_STORE === 'duckdb' && existsSync(this.follower.options.folder))
      this.follower.start();
  }
}

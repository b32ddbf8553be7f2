import { Sql } from '../../../src/database/sql.js';
import { createTestDatabase, type TestDatabase } from '../database/test-database.js';
import { startTestClickHouse, type TestClickHouse } from '../engines/chdb.js';
import { randomStreams } from '../money/chat-load.js';
import { startServiceProcess, type ServiceProcess } from '../services/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.js';
import { startScriptedChatVendor, type ScriptedChatVendor } from '../vendors/scripted-chat-vendor.js';

/** Replicas on one database that read analytics from ClickHouse, with a scripted vendor of streamed chats. */
export class ClickHouseReplicas {
  /** In the order of their numbers. */
  readonly services: ServiceProcess[] = [];

  private constructor(
    private readonly database: TestDatabase,
    readonly clickhouse: TestClickHouse,
    private readonly folder: TemporaryFolder,
    private readonly vendor: ScriptedChatVendor,
    readonly sql: Sql,
  ) {}

  static async start(count: number): Promise<ClickHouseReplicas> {
    const [database, clickhouse, folder, vendor] = await Promise.all([
      createTestDatabase(),
      startTestClickHouse(),
      temporaryFolder(),
      startScriptedChatVendor(randomStreams()),
    ]);
    const replicas = new ClickHouseReplicas(database, clickhouse, folder, vendor, new Sql(database.url, 2));
    for (let at = 0; at < count; at++) await replicas.startOne(at);
    return replicas;
  }

  /** Starts the replica with this number, with the same data folder each time. */
  async startOne(at: number): Promise<void> {
    this.services[at] = await startServiceProcess({
      DATABASE_URL: this.database.url,
      CLICKHOUSE_URL: this.clickhouse.url,
      DATA_DIR: `${this.folder.path}/${at}`,
      MASTER_KEY: 'a1'.repeat(32),
      INTERN_RUNTIME: 'none',
      RATE_LIMIT_ANALYTICS: 'off',
      OPENAI_API_KEY: 'sk-vendor',
      OPENAI_BASE_URL: this.vendor.baseUrl,
    });
  }

  async kill(at: number): Promise<void> {
    this.services[at]!.kill('SIGKILL');
    await this.services[at]!.exited;
  }

  /** Expires the lease of a killed writer, so that another replica becomes the writer without waiting 30 s. */
  async expireLease(): Promise<void> {
    await this.sql.query(`update clickhouse_feed set held_until = '-infinity'`);
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((_, at) => this.kill(at)));
    await this.vendor.close();
    await this.clickhouse.stop();
    await this.sql.close();
    await this.database.drop();
    await this.folder.remove();
  }
}

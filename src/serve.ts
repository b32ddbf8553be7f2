import { LEDGER_SQL } from './billing/ledger-sql.js';
import type { Config } from './config/config.js';
import { DatabaseUrls } from './database/database-urls.js';
import { migrate } from './database/migrate.js';
import type { ServiceLog } from './http/log/service-log.js';
import { liveAdapters } from './live-adapters.js';
import { startService, type RunningService } from './service.js';

/** Migrates the database and starts the service on it. `embeddedUrl`: of the embedded PostgreSQL, if that runs. */
export async function serve(config: Config, embeddedUrl: string | undefined, log: ServiceLog): Promise<RunningService> {
  const urls = DatabaseUrls.of(config.values, embeddedUrl);
  await migrate(urls.directUrl, LEDGER_SQL, (line) => log.report(line), urls.directName);
  const adapters = liveAdapters(config);
  try {
    const service = await startService({ config, urls, adapters: adapters.registry, log });
    return {
      ...service,
      stop: async () => {
        await service.stop();
        await adapters.close();
      },
    };
  } catch (error) {
    await adapters.close();
    throw error;
  }
}

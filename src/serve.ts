import { LEDGER_SQL } from './billing/ledger-sql.js';
import type { Config } from './config/config.js';
import { DatabaseUrls } from './database/database-urls.js';
import { prepareSchema } from './database/migrate.js';
import type { ServiceLog } from './http/log/service-log.js';
import { liveAdapters } from './live-adapters.js';
import { startService, type RunningService } from './service.js';
import { Workers } from './workers.js';

/**
 * Migrates the database, unless MIGRATE is off, and starts the service on it. `embeddedUrl`: the URL of the embedded
 * PostgreSQL, if it runs.
 */
export async function serve(config: Config, embeddedUrl: string | undefined, log: ServiceLog): Promise<RunningService> {
  const urls = DatabaseUrls.of(config.values, embeddedUrl);
  const { WORKERS, MIGRATE, DURABILITY } = config.values;
  const line = (text: string): void => log.report(text);
  await prepareSchema(MIGRATE, urls.directUrl, LEDGER_SQL, line, urls.directName, DURABILITY);
  const workers = WORKERS > 1 ? await Workers.start({ config, urls, count: WORKERS, log: line }) : undefined;
  const adapters = liveAdapters(config);
  const close = async (): Promise<void> => {
    await workers?.stop();
    await adapters.close();
  };
  try {
    const service = await startService({ config, urls, adapters: adapters.registry, log, workers });
    return {
      ...service,
      stop: async () => {
        await service.stop();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

import { Config } from '../../../src/config/config.js';
import { DatabaseUrls } from '../../../src/database/database-urls.js';
import { liveAdapters } from '../../../src/live-adapters.js';
import { startService } from '../../../src/service.js';
import { openWorld } from './intern-world.js';

/** A replica that runs interns with the simulated internet of a test, until it is killed. */
const { env, plain, trusted } = JSON.parse(process.argv[2]!) as {
  readonly env: Record<string, string>;
  readonly plain: number;
  readonly trusted: number;
};
const config = Config.read({ LOG_LEVEL: 'silent', INTERN_RUNTIME: 'process', ...env });
const urls = new DatabaseUrls(config.values.DATABASE_URL!);
const { app } = await startService({ config, urls, adapters: liveAdapters(config).registry });
openWorld(app, { plain, trusted });
process.stdout.write('working\n');

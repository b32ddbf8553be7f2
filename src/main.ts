import { setFlagsFromString } from 'node:v8';
import { Config } from './config/config.js';
import { DatabaseUrls } from './database/database-urls.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './database/embedded-postgres.js';
import { migrate } from './database/migrate.js';
import { liveAdapters, type LiveAdapters } from './live-adapters.js';
import { startService, type RunningService } from './service.js';
import { startupFault } from './startup-fault.js';
import { welcome } from './welcome.js';

// V8 would collect its whole heap whenever 64 MiB of buffers have come and gone, which pictures do several times a second. Counted
// with the heap's own limits instead, they cost a third (docs/performance.md).
setFlagsFromString('--external-memory-accounted-in-global-limit');
// The heap may grow to four times what lives before V8 collects all of it, and no longer to one and a half: most of what a call leaves
// dies by itself, and each whole collection holds both processors for some 40 ms, every 4 s at 100 calls a second.
setFlagsFromString('--heap-growing-percent=300');

async function main(): Promise<void> {
  let embedded: EmbeddedPostgres | undefined;
  let service: RunningService | undefined;
  let adapters: LiveAdapters | undefined;
  const stop = async (): Promise<void> => {
    await service?.stop();
    await adapters?.close();
    await embedded?.stop();
  };
  let signals = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (++signals > 1 || !service) {
      // Nothing is served yet, or it was asked for twice. The embedded database stops by itself when this process ends.
      console.log(service ? 'Stopped at once.' : 'Stopped while starting.');
      process.exit(signal === 'SIGINT' ? 130 : 143);
    }
    console.log(`\n${signal}: finishing the calls under way. Once more to stop at once.`);
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(startupFault(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    const config = Config.read();
    const log = (line: string): void => console.log(line);
    embedded = config.values.DATABASE_URL
      ? undefined
      : await startEmbeddedPostgres({ dataDir: config.values.DATA_DIR, log });
    const url = embedded?.url ?? config.values.DATABASE_URL!;
    const urls = new DatabaseUrls(url, embedded ? url : (config.values.DATABASE_DIRECT_URL ?? url));
    await migrate(urls.directUrl);
    adapters = liveAdapters(config);
    service = await startService({ config, urls, adapters: adapters.registry });
    console.log(welcome(service));
  } catch (error) {
    console.error(startupFault(error));
    await stop().catch(() => undefined);
    process.exit(1);
  }
}

await main();

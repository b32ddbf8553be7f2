import { Config } from './config/config.js';
import { collectGarbageSoon, setHeapFlags } from './config/heap.js';
import { showSourcePositions } from './config/stack-traces.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './database/embedded-postgres.js';
import { assertPortsFree } from './http/edge/listening.js';
import { ServiceLog } from './http/log/service-log.js';
import type { RunningService } from './service.js';
import { startupFault } from './startup-fault.js';
import { welcome, welcomeFacts } from './welcome.js';

setHeapFlags();

/** Ctrl-C at `npm start` sends two signals, from the terminal and from npm. Signals within this time count as one. */
const SAME_SIGNAL_MS = 1_000;

/** Starts the service with its database, and stops both on a signal. */
export async function start(): Promise<void> {
  let embedded: EmbeddedPostgres | undefined;
  let service: RunningService | undefined;
  // Used until the configuration has been read. Reading it may fail.
  let log = new ServiceLog({ LOG_LEVEL: 'info', LOG_FORMAT: Config.logFormat(), ACCESS_LOG: 'off' });
  const stop = async (): Promise<void> => {
    await service?.stop();
    await embedded?.stop();
  };
  const startDatabase = async ({ values: { DATABASE_URL, DATA_DIR } }: Config): Promise<void> => {
    if (!DATABASE_URL) embedded = await startEmbeddedPostgres({ dataDir: DATA_DIR, log: (line) => log.report(line) });
  };
  const exit = (code: number): never => {
    log.flush();
    process.exit(code);
  };
  let stoppingSince: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stoppingSince !== undefined && performance.now() - stoppingSince <= SAME_SIGNAL_MS) return;
    if (stoppingSince !== undefined || !service) {
      // The service is still starting, or this is a second signal. The embedded database stops when this process ends.
      log.report(service ? 'Stopped at once.' : 'Stopped while starting.');
      exit(signal === 'SIGINT' ? 130 : 143);
    }
    stoppingSince = performance.now();
    log.report(`\n${signal}: finishing the open calls. Repeat it to stop immediately.`);
    stop().then(
      () => exit(0),
      (error: unknown) => {
        log.fail(startupFault(error));
        exit(1);
      },
    );
  };
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    const config = Config.read();
    log = new ServiceLog(config.values);
    // Check the ports before a database is created, because its creation takes seconds and leaves a folder behind.
    await assertPortsFree(config);
    // Loading the modules of the service takes 2 s. The database starts at the same time.
    const [serving] = await Promise.all([import('./serve.js'), startDatabase(config)]);
    // Called after loading, because packages read stack traces while they are loaded, and source maps would add 0.1 s.
    showSourcePositions();
    service = await serving.serve(config, embedded?.url, log);
    if (log.isJson) log.report('Gatehouse is ready', welcomeFacts(service));
    else log.report(welcome(service));
    await service.keysShown();
    collectGarbageSoon();
  } catch (error) {
    log.fail(startupFault(error));
    await stop().catch(() => undefined);
    exit(1);
  }
}

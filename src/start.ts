import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Config } from './config/config.js';
import { showSourcePositions } from './config/stack-traces.js';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './database/embedded-postgres.js';
import { assertPortsFree } from './http/edge/listening.js';
import { ServiceLog } from './http/log/service-log.js';
import type { RunningService } from './service.js';
import { startupFault } from './startup-fault.js';
import { welcome, welcomeFacts } from './welcome.js';

// By default V8 collects its whole heap after every 64 MiB of buffers, which pictures reach several times a second.
// Counted towards the heap's own limits, they cost a third of the time (docs/performance.md).
setFlagsFromString('--external-memory-accounted-in-global-limit');
// Let the heap grow to four times its live size, instead of one and a half, before a full collection. Young collections
// free most of a call's objects, and a full one occupies both processors for about 40 ms, every 4 s at 100 calls a
// second.
setFlagsFromString('--heap-growing-percent=300');

/** One Ctrl-C at `npm start` arrives twice, from the terminal and from npm. Signals within this time count once. */
const SAME_SIGNAL_MS = 1_000;
/** Behind the first probes of readiness, which the collection would delay. */
const COLLECTED_AFTER_MS = 2_000;

/** Starts the service with its database, and stops both on a signal. */
export async function start(): Promise<void> {
  let embedded: EmbeddedPostgres | undefined;
  let service: RunningService | undefined;
  // Used until the configuration is read, which may fail.
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
    log.report(`\n${signal}: finishing the calls under way. Once more to stop at once.`);
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
    // Before a database is made, which takes seconds and leaves a folder behind.
    await assertPortsFree(config);
    // The modules of the service take 2 s to load: the database starts meanwhile.
    const [serving] = await Promise.all([import('./serve.js'), startDatabase(config)]);
    // Not before: packages read stack traces while they are loaded, and a source map costs 0.1 s.
    showSourcePositions();
    service = await serving.serve(config, embedded?.url, log);
    if (log.isJson) log.report('Gatehouse is ready', welcomeFacts(service));
    else log.report(welcome(service));
    await service.keysShown();
    setTimeout(collectGarbage, COLLECTED_AFTER_MS).unref();
  } catch (error) {
    log.fail(startupFault(error));
    await stop().catch(() => undefined);
    exit(1);
  }
}

/**
 * Collects the garbage of the start and returns its memory, about 100 MB. By itself V8 would keep it: its young
 * generation has grown to the flag of `npm start`, and only `last-resort` shrinks it again.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: NodeJS.GCOptions) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

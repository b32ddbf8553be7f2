import { AppServer } from './app-server.js';
import { Config } from './config/config.js';
import { collectGarbageSoon } from './config/heap.js';
import { showSourcePositions } from './config/stack-traces.js';
import { ServiceLog } from './http/log/service-log.js';
import { RequestForwarder } from './http/workers/request-forwarder.driver.js';
import { ProcessesHealth } from './inference/process-health.js';
import { exitAfterLastMessage, leaveSignalsToParent } from './kernel/processes/restarted-process.js';
import { liveAdapters } from './live-adapters.js';
import { Metrics } from './telemetry/metrics.js';
import type { FromWorker, ToWorker, WorkerStart } from './worker-messages.js';
import { WorkerModule } from './worker.module.js';

const send = (message: FromWorker): void => {
  if (process.connected) process.send!(message);
};

/** Runs this process as a worker, which is controlled by messages of its supervisor. */
export function runWorker(): void {
  let server: AppServer | undefined;
  const config = Config.read();
  const log = new ServiceLog(config.values);
  let stopping: Promise<void> | undefined;
  const stop = async (delayMs: number): Promise<void> => {
    if (server) {
      send({ kind: 'drained', left: await server.drain.drain(delayMs, config.values.SHUTDOWN_TIMEOUT_MS) });
      await server.close();
    }
    log.flush();
    process.exit(0);
  };
  leaveSignalsToParent();
  // The supervisor has ended. The next supervisor needs the port, so stop without the shutdown delay.
  process.on('disconnect', () => void (stopping ??= stop(0)));
  process.on('message', (message: ToWorker) => {
    switch (message.kind) {
      case 'start':
        startWorker(config, log, message.start).then(
          (started) => (server = started),
          (error: Error) => {
            send({ kind: 'failed', message: error.stack ?? error.message });
            log.flush();
            exitAfterLastMessage();
          },
        );
        break;
      case 'collect':
        void server?.app
          .get(Metrics, { strict: false })
          .collectOwn()
          .then((families) => send({ kind: 'metrics', id: message.id, families: families.map(asPlain) }));
        break;
      case 'health':
        if (server)
          send({ kind: 'health', id: message.id, health: server.app.get(ProcessesHealth, { strict: false }).own() });
        break;
      default:
        stopping ??= stop(config.values.SHUTDOWN_DELAY_MS);
    }
  });
}

async function startWorker(config: Config, log: ServiceLog, start: WorkerStart): Promise<AppServer> {
  const adapters = liveAdapters(config);
  showSourcePositions();
  const forwarder = new RequestForwarder(start.supervisorSocket);
  const server = await AppServer.create(WorkerModule.register(config, adapters.registry, start), {
    config,
    log,
    forwarder,
  });
  try {
    await server.init();
    const port = await server.drain.listen(start.address);
    send({ kind: 'listening', port });
    collectGarbageSoon();
    return server;
  } catch (error) {
    await server.abandon();
    throw error;
  }
}

/** Samples as arrays, which can be sent to another process. */
const asPlain = <F extends { readonly samples: Iterable<unknown> }>(family: F): F => ({
  ...family,
  samples: [...family.samples],
});

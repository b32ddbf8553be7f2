import { rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { CommitterProcess } from './billing/committer-process.js';
import type { Config } from './config/config.js';
import type { DatabaseUrls } from './database/database-urls.js';
import { statementTimeoutMs } from './database/statement-timeout.js';
import { listenAtPath, type ListenAddress } from './http/edge/listening.js';
import { restoreCallers } from './http/workers/caller-header.js';
import type { ProcessHealth, ServiceProcess } from './inference/process-health.js';
import { LocalServer } from './kernel/processes/local-server.js';
import { ProcessReplies } from './kernel/processes/process-replies.js';
import { RestartedProcess } from './kernel/processes/restarted-process.js';
import { newSocketFolder } from './machine/socket-folder.js';
import type { CounterDrivers } from './rate-limits/counter-drivers.js';
import type { MetricFamily } from './telemetry/metric-family.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

const SUPERVISOR_SOCKET = 'supervisor.sock';
const COMMITTER_SOCKET = 'committer.sock';
const COUNTERS_SOCKET = 'counters.sock';
/**
 * The Node.js flags of a worker: the flags of this process with a smaller young generation, because several processes
 * share the memory. Only the lists of models need a larger young generation, and workers do not serve these lists.
 */
const FLAGS = [
  ...process.execArgv.filter((flag) => !flag.startsWith('--max-semi-space-size')),
  '--max-semi-space-size=16',
];
/** How long a worker may take to close its database connections and to exit after its requests have ended. */
const EXIT_TIMEOUT_MS = 15_000;

interface Worker {
  readonly process: RestartedProcess<ToWorker, FromWorker>;
  readonly families: ProcessReplies<readonly MetricFamily[]>;
  readonly health: ProcessReplies<ProcessHealth>;
  readonly listening: PromiseWithResolvers<number>;
  left: number;
}

interface WorkersOptions {
  readonly config: Config;
  readonly urls: DatabaseUrls;
  readonly count: number;
  readonly log: (line: string) => void;
}

/**
 * The workers of this service and their committer. Workers accept connections on one port and serve inference; they
 * forward everything else to this process, their supervisor. A process that ends is started again.
 */
export class Workers {
  readonly #workers: Worker[] = [];
  #address: ListenAddress;
  #counting: LocalServer | undefined;

  private constructor(
    private readonly options: WorkersOptions,
    private readonly folder: string,
    private readonly committer: CommitterProcess,
  ) {
    const { HOST, PORT } = options.config.values;
    this.#address = { host: HOST, port: PORT };
  }

  /** Starts the committer; the workers start with `listen`. */
  static async start(options: WorkersOptions): Promise<Workers> {
    const { config, urls, log } = options;
    const { DATA_DIR: dataDir, RESERVATION_LEASE_MS: leaseMs } = config.values;
    const folder = await newSocketFolder({ dataDir, name: 'workers', socket: COMMITTER_SOCKET, mode: 0o700 });
    const committer = new CommitterProcess(
      {
        socket: join(folder, COMMITTER_SOCKET),
        databaseUrl: urls.url,
        pooled: urls.isPooled,
        leaseMs,
        timeoutMs: statementTimeoutMs(config),
      },
      log,
    );
    await committer.start();
    return new Workers(options, folder, committer);
  }

  get committerSocket(): string {
    return this.#path(COMMITTER_SOCKET);
  }

  /**
   * Starts the workers and returns their port. They forward requests that they do not serve to `server`, and use
   * `counters` for rate limits and concurrency limits.
   */
  async listen(server: Server, counters: CounterDrivers): Promise<number> {
    restoreCallers(server);
    await listenAtPath(server, this.#path(SUPERVISOR_SOCKET));
    this.#counting = new LocalServer((request) => counters.respond(request));
    await this.#counting.listen(this.#path(COUNTERS_SOCKET));
    // With PORT=0, the first worker gets a free port, and the others use the same port.
    const port = await this.#add();
    this.#address = { ...this.#address, port };
    await Promise.all(Array.from({ length: this.options.count - 1 }, () => this.#add()));
    return port;
  }

  /** The metrics of all workers and of the committer. */
  async collect(): Promise<MetricFamily[]> {
    const running = this.#workers.filter(({ process }) => process.isConnected);
    const ofWorkers = running.map(({ process, families }) =>
      families.ask((id) => process.send({ kind: 'collect', id })),
    );
    return (await Promise.all([...ofWorkers, this.committer.collect()])).flatMap((families) => families ?? []);
  }

  /** The state of each worker, and whether the committer runs. */
  async health(): Promise<ServiceProcess[]> {
    const workers = this.#workers.map(async ({ process, health }, at): Promise<ServiceProcess> => {
      const startedAt = process.runningSince ?? null;
      const reply = startedAt && (await health.ask((id) => process.send({ kind: 'health', id })));
      return { name: `worker ${at + 1}`, startedAt, health: reply || null };
    });
    const { startedAt = null } = this.committer;
    return [...(await Promise.all(workers)), { name: 'committer', startedAt, health: undefined }];
  }

  /**
   * Ends the workers when their requests have ended; returns the number of requests that did not end within
   * SHUTDOWN_TIMEOUT_MS.
   */
  async drain(): Promise<number> {
    const { SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS } = this.options.config.values;
    const timeoutMs = SHUTDOWN_DELAY_MS + SHUTDOWN_TIMEOUT_MS + EXIT_TIMEOUT_MS;
    await Promise.all(this.#workers.map(({ process }) => process.stop({ kind: 'stop' }, timeoutMs)));
    return this.#workers.reduce((sum, { left }) => sum + left, 0);
  }

  /** Ends the workers and the committer. Call this when no call is open. */
  async stop(): Promise<void> {
    await this.drain();
    this.#counting?.close();
    await this.committer.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  #path(socket: string): string {
    return join(this.folder, socket);
  }

  #add(): Promise<number> {
    const name = `Worker ${this.#workers.length + 1}`;
    const { log, urls } = this.options;
    const worker: Worker = {
      process: new RestartedProcess<ToWorker, FromWorker>({
        name,
        entry: new URL('./worker.main', import.meta.url),
        flags: FLAGS,
        onStart: () =>
          worker.process.send({
            kind: 'start',
            start: {
              databaseUrl: urls.url,
              databaseDirectUrl: urls.directUrl,
              address: this.#address,
              supervisorSocket: this.#path(SUPERVISOR_SOCKET),
              committerSocket: this.committerSocket,
              countersSocket: this.#path(COUNTERS_SOCKET),
            },
          }),
        onMessage: (message) => receive(worker, message, (line) => log(`${name}: ${line}`)),
        log,
      }),
      families: new ProcessReplies(),
      health: new ProcessReplies(),
      listening: Promise.withResolvers(),
      left: 0,
    };
    this.#workers.push(worker);
    worker.process.start();
    return worker.listening.promise;
  }
}

function receive(worker: Worker, message: FromWorker, log: (line: string) => void): void {
  switch (message.kind) {
    case 'listening':
      worker.listening.resolve(message.port);
      break;
    case 'metrics':
      worker.families.receive(message.id, message.families);
      break;
    case 'health':
      worker.health.receive(message.id, message.health);
      break;
    case 'drained':
      worker.left = message.left;
      break;
    default:
      log(message.message);
      worker.listening.reject(new Error(message.message));
  }
}

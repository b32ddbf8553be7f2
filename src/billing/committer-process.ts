import { homedir } from 'node:os';
import { RestartedProcess } from '../kernel/processes/restarted-process.js';
import { CollectedFamilies } from '../telemetry/collected-families.js';
import type { MetricFamily } from '../telemetry/metric-family.js';
import type { FromCommitter, ToCommitter } from './ledger/commits/commit-messages.js';

const STOP_TIMEOUT_MS = 10_000;

export type CommitterOptions = Omit<Extract<ToCommitter, { kind: 'start' }>, 'kind'>;

/**
 * The process that commits the reservations and settlements of all workers of a machine. While it is away, calls wait
 * for it as they wait for the database.
 */
export class CommitterProcess {
  readonly #process: RestartedProcess<ToCommitter, FromCommitter>;
  readonly #listening = Promise.withResolvers<void>();
  readonly #families = new CollectedFamilies();

  constructor(options: CommitterOptions, log: (line: string) => void) {
    this.#process = new RestartedProcess<ToCommitter, FromCommitter>({
      name: 'The committer',
      entry: new URL('./ledger/commits/committer.main', import.meta.url),
      // Not the service's environment, which holds secrets.
      env: { HOME: homedir() },
      // What it holds is small, and lives for one batch.
      memoryFlags: ['--max-semi-space-size=4', '--max-old-space-size=256'],
      onStart: () => this.#process.send({ kind: 'start', ...options }),
      onMessage: (message) => this.#receive(message, log),
      log,
    });
  }

  /** Resolves when it accepts connections; throws if it cannot. */
  async start(): Promise<void> {
    this.#process.start();
    await this.#listening.promise;
  }

  /** Its metrics; none while it is away. */
  async collect(): Promise<readonly MetricFamily[]> {
    if (!this.#process.isConnected) return [];
    return this.#families.collect((id) => this.#process.send({ kind: 'collect', id }));
  }

  /** No call may be open. */
  async stop(): Promise<void> {
    await this.#process.stop({ kind: 'stop' }, STOP_TIMEOUT_MS);
  }

  #receive(message: FromCommitter, log: (line: string) => void): void {
    switch (message.kind) {
      case 'listening':
        this.#listening.resolve();
        break;
      case 'metrics':
        this.#families.receive(message.id, message.families);
        break;
      default:
        log(`The committer cannot listen: ${message.message}`);
        this.#listening.reject(new Error(`the committer cannot listen: ${message.message}`));
    }
  }
}

import { homedir } from 'node:os';
import { ProcessReplies } from '../kernel/processes/process-replies.js';
import { RestartedProcess } from '../kernel/processes/restarted-process.js';
import type { MetricFamily } from '../telemetry/metric-family.js';
import type { FromCommitter, ToCommitter } from './ledger/commits/commit-messages.js';

const STOP_TIMEOUT_MS = 10_000;

export type CommitterOptions = Omit<Extract<ToCommitter, { kind: 'start' }>, 'kind'>;

/**
 * The process that commits the reservations and settlements of all workers of a machine. While it is down, calls wait
 * for it as they wait for the database.
 */
export class CommitterProcess {
  readonly #process: RestartedProcess<ToCommitter, FromCommitter>;
  readonly #listening = Promise.withResolvers<void>();
  readonly #families = new ProcessReplies<readonly MetricFamily[]>();

  constructor(options: CommitterOptions, log: (line: string) => void) {
    this.#process = new RestartedProcess<ToCommitter, FromCommitter>({
      name: 'The committer',
      entry: new URL('./ledger/commits/committer.main', import.meta.url),
      // Does not inherit the service's environment, which holds secrets.
      env: { HOME: homedir() },
      // A small heap is sufficient, because the process keeps data only for the current batch.
      memoryFlags: ['--max-semi-space-size=4', '--max-old-space-size=256'],
      onStart: () => this.#process.send({ kind: 'start', ...options }),
      onMessage: (message) => this.#receive(message, log),
      log,
    });
  }

  /** Resolves when the process accepts connections; rejects if it cannot. */
  async start(): Promise<void> {
    this.#process.start();
    await this.#listening.promise;
  }

  /** The start time in Unix milliseconds; undefined while the process is down. */
  get startedAt(): number | undefined {
    return this.#process.runningSince;
  }

  /** The metrics of the process; empty while it is down. */
  async collect(): Promise<readonly MetricFamily[]> {
    if (!this.#process.isConnected) return [];
    return (await this.#families.ask((id) => this.#process.send({ kind: 'collect', id }))) ?? [];
  }

  /** Must be called only when no call is open. */
  stop(): Promise<void> {
    return this.#process.stop({ kind: 'stop' }, STOP_TIMEOUT_MS);
  }

  #receive(message: FromCommitter, log: (line: string) => void): void {
    switch (message.kind) {
      case 'listening':
        this.#listening.resolve();
        break;
      case 'metrics':
        this.#families.receive(message.id, message.families);
        break;
      case 'log':
        log(message.message);
        break;
      default:
        log(`The committer cannot listen: ${message.message}`);
        this.#listening.reject(new Error(`the committer cannot listen: ${message.message}`));
    }
  }
}

import { homedir } from 'node:os';
import { RestartedProcess } from '../../../kernel/processes/restarted-process.js';
import type { ClickHouseFeedOptions } from './clickhouse-feed.js';
import type { ClickHouseAddress } from './http-clickhouse-connection.js';

const STOP_TIMEOUT_MS = 3_000;

/**
 * The options of the process. They are sent as a message, because other users can read a command line or environment.
 */
export interface FeedProcessOptions extends Omit<ClickHouseFeedOptions, 'database'> {
  readonly address: ClickHouseAddress;
}

export type ToFeed = { readonly kind: 'start'; readonly options: FeedProcessOptions } | { readonly kind: 'stop' };
export interface FromFeed {
  readonly kind: 'log';
  readonly message: string;
}

/** Runs the feed of ClickHouse in a separate process and restarts the process when it ends. */
export class ClickHouseFeedProcess {
  readonly #process: RestartedProcess<ToFeed, FromFeed>;

  constructor(options: FeedProcessOptions, log: (message: string) => void) {
    this.#process = new RestartedProcess<ToFeed, FromFeed>({
      name: 'The feed of ClickHouse',
      entry: new URL('./clickhouse-feed.main', import.meta.url),
      // The process does not inherit the service's environment, which contains secrets.
      env: { HOME: homedir() },
      onStart: () => this.#process.send({ kind: 'start', options }),
      onMessage: ({ message }) => log(message),
      log,
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  start(): void {
    this.#process.start();
  }

  stop(): Promise<void> {
    return this.#process.stop({ kind: 'stop' }, STOP_TIMEOUT_MS);
  }
}

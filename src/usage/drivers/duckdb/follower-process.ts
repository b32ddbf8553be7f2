import { homedir, setPriority } from 'node:os';
import { RestartedProcess } from '../../../kernel/processes/restarted-process.js';
import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import type { CallListPlan, StoredCalls } from '../../call-list.js';
import type {
  FollowerOptions,
  FollowerPhase,
  FromFollower,
  Read,
  ReadResult,
  ToFollower,
} from './follower-messages.js';

const STOP_TIMEOUT_MS = 3_000;
/** The `nice` value of the process. Its priority is lower than the priority of the service, which serves calls. */
const NICE = 10;

/** Thrown if the follower cannot be queried, because it is starting or has just ended. */
export class FollowerAbsent extends Error {
  override name = 'FollowerAbsent';
}

/** Runs the follower in a separate process and restarts the process when it ends. */
export class FollowerProcess {
  readonly #process: RestartedProcess<ToFollower, FromFollower>;
  #phase: FollowerPhase | undefined;
  #caughtUpAt = 0;
  #lastRead = 0;
  readonly #reads = new Map<number, PromiseWithResolvers<ReadResult>>();
  readonly #onPhase = new Set<() => void>();

  constructor(
    readonly options: FollowerOptions,
    private readonly log: (message: string) => void,
    maxRestartMs?: number,
  ) {
    this.#process = new RestartedProcess<ToFollower, FromFollower>({
      name: 'The analytics follower',
      entry: new URL('./follower.main', import.meta.url),
      // The process does not inherit the service's environment, which contains secrets.
      env: { HOME: homedir() },
      onStart: () => this.#started(),
      onMessage: (message) => this.#receive(message),
      onEnd: () => this.#ended(),
      log,
      maxRestartMs,
    });
  }

  /** Undefined until the process has reported its phase. */
  get phase(): FollowerPhase | undefined {
    return this.#phase;
  }

  /**
   * Milliseconds since the store last had every recorded call, or since the process was started, whichever is later;
   * undefined if the process is not running.
   */
  get lagMs(): number | undefined {
    if (this.pid === undefined) return undefined;
    return performance.now() - Math.max(this.#process.startedAt, this.#caughtUpAt);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Starts the process; later calls do nothing. Returns at once. */
  start(): void {
    this.#process.start();
  }

  /**
   * Resolves to true when the store is complete. Resolves to false if the store is not complete `timeoutMs` after the
   * start of the process, or if the process is not running.
   */
  async isFollowing(timeoutMs: number): Promise<boolean> {
    const left = this.#process.startedAt + timeoutMs - performance.now();
    if (this.#phase !== 'following' && this.pid !== undefined && left > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const listener = (): void => {
        if (this.#phase === 'following') resolve();
      };
      const timer = setTimeout(resolve, left);
      this.#onPhase.add(listener);
      await promise;
      clearTimeout(timer);
      this.#onPhase.delete(listener);
    }
    return this.#phase === 'following';
  }

  async read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    return (await this.#read({ of: 'figures', plan }, signal)) as AnalyticsResult;
  }

  async list(plan: CallListPlan, signal: AbortSignal): Promise<StoredCalls> {
    return (await this.#read({ of: 'calls', plan }, signal)) as StoredCalls;
  }

  async #read(read: Read, signal: AbortSignal): Promise<ReadResult> {
    signal.throwIfAborted();
    if (!this.#process.isConnected) throw new FollowerAbsent('the analytics store is not running');
    const id = ++this.#lastRead;
    const cancel = (): void => {
      this.#process.send({ kind: 'cancel', id });
      this.#reads.get(id)?.reject(signal.reason as Error);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const open = Promise.withResolvers<ReadResult>();
      this.#reads.set(id, open);
      this.#process.send({ kind: 'read', id, ...read });
      return await open.promise;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#reads.delete(id);
    }
  }

  /** Asks the process to close its file and to exit. Kills the process after STOP_TIMEOUT_MS. */
  stop(): Promise<void> {
    return this.#process.stop({ kind: 'stop' }, STOP_TIMEOUT_MS);
  }

  #started(): void {
    if (this.pid !== undefined) lowerPriority(this.pid);
    this.#process.send({ kind: 'start', options: this.options });
  }

  #receive(message: FromFollower): void {
    switch (message.kind) {
      case 'phase':
        this.#phase = message.phase;
        if (message.isCaughtUp) this.#caughtUpAt = performance.now();
        for (const listener of this.#onPhase) listener();
        break;
      case 'result':
        this.#reads.get(message.id)?.resolve(message.result);
        break;
      case 'failed':
        this.#reads.get(message.id)?.reject(new Error(message.message));
        break;
      default:
        this.log(message.message);
    }
  }

  #ended(): void {
    this.#phase = undefined;
    for (const read of this.#reads.values())
      read.reject(new FollowerAbsent('the analytics store stopped in the middle of a query'));
  }
}

/** Call this immediately after the start, because the threads of the process inherit the priority. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICE);
  } catch {
    // The process has ended, or the system has no priorities.
  }
}

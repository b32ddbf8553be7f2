import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { homedir, setPriority } from 'node:os';
import { extname } from 'node:path';
import { backoffMs } from '../../../kernel/scheduling/backoff.js';
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

const FIRST_RESTART_MS = 250;
const MAX_RESTART_MS = 30_000;
/** A process that lived this long was healthy: its end resets the pauses. */
const HEALTHY_AFTER_MS = 60_000;
const STOP_TIMEOUT_MS = 3_000;
/** As for `nice`: the service, which serves calls, has priority for the processors. */
const NICE = 10;
const TYPESCRIPT_LOADER = new URL('../../../../dev/typescript-loader.ts', import.meta.url).href;

/** The follower cannot be queried: it is starting, or has just died. */
export class FollowerAbsent extends Error {
  override name = 'FollowerAbsent';
}

interface OpenRead {
  readonly resolve: (result: ReadResult) => void;
  readonly reject: (error: Error) => void;
}

/** Runs the follower in a process of its own and restarts it when it dies. */
export class FollowerProcess {
  #child: ChildProcess | undefined;
  #phase: FollowerPhase | undefined;
  #stopped = false;
  #restart: NodeJS.Timeout | undefined;
  #failures = 0;
  #startedAt = 0;
  #caughtUpAt = 0;
  #lastRead = 0;
  readonly #reads = new Map<number, OpenRead>();
  readonly #onPhase = new Set<() => void>();

  constructor(
    readonly options: FollowerOptions,
    private readonly log: (message: string) => void,
    private readonly maxRestartMs = MAX_RESTART_MS,
  ) {}

  /** Undefined until the process has reported its phase. */
  get phase(): FollowerPhase | undefined {
    return this.#phase;
  }

  /** Time since the store had every recorded call, or since the process was started; undefined = it does not run. */
  get lagMs(): number | undefined {
    return this.#child && performance.now() - Math.max(this.#startedAt, this.#caughtUpAt);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts the process; later calls do nothing. Returns at once. */
  start(): void {
    if (this.#child || this.#stopped || this.#restart) return;
    const entry = new URL(`./follower.main${extname(import.meta.url)}`, import.meta.url);
    const child = fork(entry, {
      // Not the service's environment, which holds secrets. TypeScript, as under Jest, needs a loader.
      env: { HOME: homedir() },
      execArgv:
        extname(import.meta.url) === '.ts'
          ? ['--disable-sigusr1', '--no-warnings', '--import', TYPESCRIPT_LOADER]
          : ['--disable-sigusr1', '--enable-source-maps'],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    if (child.pid !== undefined) lowerPriority(child.pid);
    this.#startedAt = performance.now();
    this.#child = child;
    child.on('message', (message: FromFollower) => this.#receive(message));
    child.on('error', (error) => this.log(`The analytics follower: ${error.message}`));
    child.once('close', () => this.#ended(child, performance.now() - this.#startedAt));
    this.#send({ kind: 'start', options: this.options });
  }

  /** Whether the store is complete. Waits for a process that started less than `timeoutMs` ago to report it. */
  async isFollowing(timeoutMs: number): Promise<boolean> {
    const left = this.#startedAt + timeoutMs - performance.now();
    if (this.#phase !== 'following' && this.#child && left > 0) {
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
    if (!this.#child?.connected) throw new FollowerAbsent('the analytics store is not running');
    const id = ++this.#lastRead;
    const cancel = (): void => {
      this.#send({ kind: 'cancel', id });
      this.#reads.get(id)?.reject(signal.reason as Error);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const { promise, resolve, reject } = Promise.withResolvers<ReadResult>();
      this.#reads.set(id, { resolve, reject });
      this.#send({ kind: 'read', id, ...read });
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#reads.delete(id);
    }
  }

  /** Lets the process close its file; kills it after STOP_TIMEOUT_MS. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    this.#send({ kind: 'stop' });
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await closed;
    clearTimeout(timer);
  }

  #send(message: ToFollower): void {
    // If the process has ended, the `close` handler rejects its reads.
    if (this.#child?.connected) this.#child.send(message, () => undefined);
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

  #ended(child: ChildProcess, livedMs: number): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#phase = undefined;
    for (const read of this.#reads.values())
      read.reject(new FollowerAbsent('the analytics store stopped in the middle of a query'));
    if (this.#stopped) return;
    this.#failures = livedMs > HEALTHY_AFTER_MS ? 0 : this.#failures + 1;
    const waitMs = backoffMs(Math.max(1, this.#failures), FIRST_RESTART_MS, this.maxRestartMs);
    this.log(
      `The analytics follower ended (${child.signalCode ?? `exit code ${child.exitCode}`}) ` +
        `and is started again in ${waitMs} ms`,
    );
    this.#restart = setTimeout(() => {
      this.#restart = undefined;
      this.start();
    }, waitMs);
    this.#restart.unref();
  }
}

/** Immediately after the start, because the threads of the process inherit the priority. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICE);
  } catch {
    // The process has ended, or the system has no priorities.
  }
}

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { homedir, setPriority } from 'node:os';
import { extname } from 'node:path';
import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import type { FollowerOptions, FollowerPhase, FromFollower, ToFollower } from './follower-messages.js';

const FIRST_RESTART_MS = 250;
const LONGEST_RESTART_MS = 30_000;
/** A process that lived so long was well: its end is no part of a row of failures. */
const WELL_AFTER_MS = 60_000;
const STOP_WITHIN_MS = 3_000;
/** As `nice` counts: whoever answers calls has the processors first. */
const NICE = 10;

/** The follower is not there to answer: starting, or just died. */
export class FollowerAbsent extends Error {
  override name = 'FollowerAbsent';
}

interface OpenRead {
  readonly resolve: (result: AnalyticsResult) => void;
  readonly reject: (error: Error) => void;
}

/** Runs the follower in a process of its own and starts it again whenever it dies. */
export class FollowerProcess {
  #child: ChildProcess | undefined;
  #phase: FollowerPhase | undefined;
  #stopped = false;
  #restart: NodeJS.Timeout | undefined;
  #failures = 0;
  #startedAt = 0;
  #lastRead = 0;
  readonly #reads = new Map<number, OpenRead>();
  readonly #onPhase = new Set<() => void>();

  constructor(
    readonly options: FollowerOptions,
    private readonly log: (message: string) => void,
    private readonly longestRestartMs = LONGEST_RESTART_MS,
  ) {}

  /** Undefined until the process has said where it is. */
  get phase(): FollowerPhase | undefined {
    return this.#phase;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts the process; later calls do nothing. Returns at once. */
  start(): void {
    if (this.#child || this.#stopped || this.#restart) return;
    const entry = new URL(`./follower.main${extname(import.meta.url)}`, import.meta.url);
    const child = fork(entry, {
      // Not the service's environment, because it holds secrets. From TypeScript, as under Jest, a loader is needed.
      env: { HOME: homedir() },
      execArgv:
        extname(import.meta.url) === '.ts'
          ? ['--no-warnings', '--import', '@swc-node/register/esm-register']
          : ['--enable-source-maps'],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    if (child.pid !== undefined) stepBack(child.pid);
    this.#startedAt = performance.now();
    this.#child = child;
    child.on('message', (message: FromFollower) => this.#hear(message));
    child.on('error', (error) => this.log(`The analytics follower: ${error.message}`));
    child.once('close', () => this.#ended(child, performance.now() - this.#startedAt));
    this.#tell({ kind: 'start', options: this.options });
  }

  /** Answers whether the store is complete; a process that has only just started is given so long to say so. */
  async isFollowing(patienceMs: number): Promise<boolean> {
    const left = this.#startedAt + patienceMs - performance.now();
    if (this.#phase !== 'following' && this.#child && left > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(finish, left);
        const look = (): void => {
          if (this.#phase === 'following') finish();
        };
        this.#onPhase.add(look);
        const onPhase = this.#onPhase;
        function finish(): void {
          clearTimeout(timer);
          onPhase.delete(look);
          resolve();
        }
      });
    }
    return this.#phase === 'following';
  }

  async read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    signal.throwIfAborted();
    if (!this.#child?.connected) throw new FollowerAbsent('the analytics store is not running');
    const id = ++this.#lastRead;
    const cancel = (): void => {
      this.#tell({ kind: 'cancel', id });
      this.#reads.get(id)?.reject(signal.reason as Error);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise<AnalyticsResult>((resolve, reject) => {
        this.#reads.set(id, { resolve, reject });
        this.#tell({ kind: 'read', id, plan });
      });
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#reads.delete(id);
    }
  }

  /** Lets it close its file; what does not end in time is killed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    this.#tell({ kind: 'stop' });
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    await closed;
    clearTimeout(timer);
  }

  #tell(message: ToFollower): void {
    // A process that is gone says so by its end.
    if (this.#child?.connected) this.#child.send(message, () => undefined);
  }

  #hear(message: FromFollower): void {
    switch (message.kind) {
      case 'phase':
        this.#phase = message.phase;
        for (const tell of this.#onPhase) tell();
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
    this.#failures = livedMs > WELL_AFTER_MS ? 0 : this.#failures + 1;
    const waitMs = Math.min(this.longestRestartMs, FIRST_RESTART_MS * 2 ** Math.max(0, this.#failures - 1));
    this.log(
      `The analytics follower ended (${child.signalCode ?? `exit code ${child.exitCode}`}) and is started again in ${waitMs} ms`,
    );
    this.#restart = setTimeout(() => {
      this.#restart = undefined;
      this.start();
    }, waitMs);
    this.#restart.unref();
  }
}

/** At once, because the threads that the process makes inherit it. */
function stepBack(pid: number): void {
  try {
    setPriority(pid, NICE);
  } catch {
    // It is gone already, which its end tells; or the system knows no priorities.
  }
}

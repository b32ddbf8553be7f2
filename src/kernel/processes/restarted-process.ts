import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { backoffMs } from '../scheduling/backoff.js';

const FIRST_RESTART_MS = 250;
const MAX_RESTART_MS = 30_000;
/** A process that has run for this time counts as healthy: when it ends, the backoff starts from the beginning. */
const HEALTHY_AFTER_MS = 60_000;
const TYPESCRIPT_LOADER = new URL('../../../dev/typescript-loader.ts', import.meta.url).href;

interface ProcessOptions<Received> {
  /** The name of the process in the log, such as `The committer`. */
  readonly name: string;
  /** The file that the process runs, without extension. */
  readonly entry: URL;
  /** Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Default: the flags that its code needs. */
  readonly flags?: readonly string[];
  /** Added to `flags`. */
  readonly memoryFlags?: readonly string[];
  /** Called after each start of the process, when its first message can be sent. */
  readonly onStart: () => void;
  readonly onMessage: (message: Received) => void;
  /** Called when a process has ended. */
  readonly onEnd?: () => void;
  readonly log: (line: string) => void;
  readonly maxRestartMs?: number;
}

/**
 * A child process of Node that is restarted when it ends. Messages are structured clones. The child must exit when its
 * channel closes, and must leave the terminal's signals to its parent (`leaveSignalsToParent`).
 */
export class RestartedProcess<Sent extends object, Received> {
  #child: ChildProcess | undefined;
  #isStopped = false;
  #restart: NodeJS.Timeout | undefined;
  #failures = 0;
  #startedAt = 0;

  constructor(private readonly options: ProcessOptions<Received>) {}

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** The time of the last start, on the clock of performance.now(). */
  get startedAt(): number {
    return this.#startedAt;
  }

  /** The time of the last start in Unix milliseconds; undefined while the process is down. */
  get runningSince(): number | undefined {
    return this.isConnected ? performance.timeOrigin + this.#startedAt : undefined;
  }

  get isConnected(): boolean {
    return this.#child?.connected ?? false;
  }

  /** Starts the process; later calls do nothing. Returns at once. */
  start(): void {
    if (this.#child || this.#isStopped || this.#restart) return;
    const extension = extname(import.meta.url);
    const { entry, env, flags = flagsFor(extension), memoryFlags = [], log, name } = this.options;
    const child = fork(new URL(entry.href + extension), {
      env,
      execArgv: [...flags, ...memoryFlags],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#startedAt = performance.now();
    this.#child = child;
    child.on('message', (message) => this.options.onMessage(message as Received));
    child.on('error', (error) => log(`${name}: ${error.message}`));
    child.once('close', () => this.#ended(child));
    this.options.onStart();
  }

  /** Does nothing if the process has ended. */
  send(message: Sent): void {
    if (this.#child?.connected) this.#child.send(message, () => undefined);
  }

  /** Sends the last message and waits for the end of the process; kills it after the timeout. */
  async stop(message: Sent, timeoutMs: number): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    this.send(message);
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    await closed;
    clearTimeout(timer);
  }

  #ended(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.options.onEnd?.();
    if (this.#isStopped) return;
    this.#failures = performance.now() - this.#startedAt > HEALTHY_AFTER_MS ? 0 : this.#failures + 1;
    const waitMs = backoffMs(
      Math.max(1, this.#failures),
      FIRST_RESTART_MS,
      this.options.maxRestartMs ?? MAX_RESTART_MS,
    );
    this.options.log(
      `${this.options.name} ended (${child.signalCode ?? `exit code ${child.exitCode}`}) ` +
        `and is started again in ${waitMs} ms`,
    );
    this.#restart = setTimeout(() => {
      this.#restart = undefined;
      this.start();
    }, waitMs);
    this.#restart.unref();
  }
}

/** Tests run the TypeScript sources, which need a loader. */
const flagsFor = (extension: string): string[] => [
  '--disable-sigusr1',
  ...(extension === '.ts' ? ['--no-warnings', '--import', TYPESCRIPT_LOADER] : ['--enable-source-maps']),
];

/** The time that a process has to send its last message. */
const LAST_MESSAGE_MS = 50;

/** Called in the child process after it has sent the reason of its failure. */
export function exitAfterLastMessage(): void {
  setTimeout(() => process.exit(1), LAST_MESSAGE_MS);
}

/**
 * Called in the child process. Ctrl-C sends a signal to every process of the foreground group, but the parent decides
 * when the child stops.
 */
export function leaveSignalsToParent(): void {
  process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);
}

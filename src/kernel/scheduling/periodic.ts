import { outsideRequests } from '../request-scope.js';

/**
 * A job that runs on a timer. Runs never overlap: a tick during a run is skipped. `stop()` waits for the current run.
 * The job runs outside of requests, even if a request triggered it.
 */
export class Periodic {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** The run that `trigger()` requested while another run was going on. */
  #next: Promise<void> | undefined;
  #everyMs: (() => number) | undefined;
  #stopped = false;

  /** `onError` receives what the job threw; the timer continues. */
  constructor(
    private readonly job: () => Promise<unknown>,
    private readonly onError: (error: Error) => void,
  ) {}

  /**
   * Starts the timer; the first run is after one interval. If `everyMs` is a function, it is evaluated after each run.
   */
  start(everyMs: number | (() => number)): void {
    this.#everyMs = typeof everyMs === 'number' ? () => everyMs : everyMs;
    this.#schedule(performance.now());
  }

  /**
   * Runs the job now, or once more after the current run. Resolves when a run that began after this call has ended.
   * Never rejects.
   */
  trigger(): Promise<void> {
    if (this.#next) return this.#next;
    if (!this.#running) return this.#run();
    return (this.#next = this.#running.then(() => {
      this.#next = undefined;
      return this.#run();
    }));
  }

  /** Stops the timer; resolves when no run is going on. Later triggers do nothing. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await (this.#next ?? this.#running);
  }

  #run(): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    clearTimeout(this.#timer);
    const startedAt = performance.now();
    return (this.#running = outsideRequests(() => this.#attempt()).finally(() => {
      this.#running = undefined;
      if (this.#everyMs) this.#schedule(startedAt);
    }));
  }

  async #attempt(): Promise<void> {
    try {
      await this.job();
    } catch (error) {
      this.onError(error as Error);
    }
  }

  /** Schedules the run at the next multiple of the interval after `startedAt`. */
  #schedule(startedAt: number): void {
    if (this.#stopped) return;
    const everyMs = this.#everyMs!();
    const elapsedMs = performance.now() - startedAt;
    this.#timer = setTimeout(() => void this.trigger(), everyMs - (elapsedMs % everyMs)).unref();
  }
}

import type { Worker } from 'node:worker_threads';
import { GatewayError, unavailable } from '../errors/errors.js';

interface WorkerPoolOptions {
  /** The threads' task as a noun for messages, such as "speech synthesiser". */
  readonly name: string;
  readonly size: number;
  /** A thread that has not finished a job after this many milliseconds counts as hung. */
  readonly budgetMs: number;
  /**
   * Whether the budget is CPU time of the thread, so that a job is not ended earlier on a busy machine. Replies must
   * then have `cpuMs`.
   */
  readonly isCpuBudget?: boolean;
  /** The time after which a thread without a job ends, in milliseconds; absent = idle threads do not end. */
  readonly idleMs?: number;
  /** How many times a job is retried in another thread after its thread exited. Default: 1. */
  readonly retries?: number;
  /** Starts a thread that replies to each message with a WorkerReply, one message at a time. */
  readonly start: () => Worker | Promise<Worker>;
}

/**
 * `isLast`: the thread must be replaced, for example because it holds memory that only its end frees. `cpuMs`: CPU time
 * of the thread since its start.
 */
type WorkerReply<Result> = ({ ok: true; result: Result } | { ok: false; message: string }) & {
  isLast?: boolean;
  cpuMs?: number;
};

const NEVER = new AbortController().signal;
/** The time for which an aborted job may continue, because finishing a short job is cheaper than a new thread. */
const ABANDONED_BUDGET_MS = 250;

interface Job<Request, Result> {
  readonly request: Request;
  readonly isUrgent: boolean;
  retries: number;
  /** Whether the job was resolved, failed or aborted. */
  settled: boolean;
  succeed(result: Result): void;
  fail(error: GatewayError): void;
}

interface Thread<Request, Result> {
  readonly worker: Worker;
  job?: Job<Request, Result>;
  /** CPU time at the last reply, milliseconds. */
  cpuMs: number;
  timer?: NodeJS.Timeout;
}

/**
 * At most `size` worker threads, which process jobs in their order of arrival, urgent jobs first, one job at a time.
 * Threads start on demand, do not keep the process alive while idle, and are replaced when they exit, hang or reply
 * with `isLast`. A job whose thread exits is retried. A job whose thread hangs is not retried, because it would most
 * likely hang the next thread too.
 *
 * `run` rejects with provider_failed, unavailable (closed), the signal's reason if it is a GatewayError, or
 * caller_gone.
 */
export class WorkerPool<Request, Result> {
  private readonly queue: Job<Request, Result>[] = [];
  private readonly threads = new Set<Thread<Request, Result>>();
  private starting = 0;
  private closed = false;

  constructor(private readonly options: WorkerPoolOptions) {}

  run(request: Request, signal: AbortSignal = NEVER, isUrgent = false): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.closed) return reject(this.closedError());
      if (signal.aborted) return reject(abortError(signal));
      const settle = (): boolean => {
        if (job.settled) return false;
        signal.removeEventListener('abort', onAbort);
        return (job.settled = true);
      };
      const job: Job<Request, Result> = {
        request,
        isUrgent,
        retries: this.options.retries ?? 1,
        settled: false,
        succeed: (result) => settle() && resolve(result),
        fail: (error) => settle() && reject(error),
      };
      const onAbort = (): void => {
        job.fail(abortError(signal));
        this.abandon(job);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.enqueue(job);
      this.pump();
    });
  }

  private enqueue(job: Job<Request, Result>): void {
    const place = job.isUrgent ? this.queue.findIndex(({ isUrgent }) => !isUrgent) : -1;
    if (place < 0) this.queue.push(job);
    else this.queue.splice(place, 0, job);
  }

  state(): { readonly queued: number; readonly busy: number; readonly threads: number } {
    const busy = [...this.threads].filter((thread) => thread.job).length;
    return { queued: this.queue.length, busy, threads: this.threads.size };
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const job of this.queue.splice(0)) job.fail(this.closedError());
    await Promise.all([...this.threads].map((thread) => this.retire(thread, this.closedError())));
  }

  private pump(): void {
    for (const thread of this.threads) {
      if (!thread.job && this.queue.length > 0) this.dispatch(thread, this.queue.shift()!);
    }
    const missing = Math.min(this.queue.length, this.options.size - this.threads.size) - this.starting;
    for (let n = 0; n < missing; n++) void this.startThread();
  }

  private async startThread(): Promise<void> {
    this.starting++;
    try {
      const starting = this.options.start();
      const worker = starting instanceof Promise ? await starting : starting;
      if (this.closed) return void (await worker.terminate());
      this.adopt(worker);
    } catch (cause) {
      // Fail one queued job for each failed start, so that a broken installation reports errors instead of looping.
      this.queue.shift()?.fail(this.failure('could not be started', cause));
    } finally {
      this.starting--;
    }
    this.pump();
  }

  private adopt(worker: Worker): void {
    const thread: Thread<Request, Result> = { worker, cpuMs: 0 };
    let cause: unknown;
    worker.on('message', (reply: WorkerReply<Result>) => this.finish(thread, reply));
    worker.on('error', (error: unknown) => {
      cause = error;
    });
    worker.on('exit', () => this.replace(thread, cause));
    worker.unref();
    this.threads.add(thread);
  }

  private dispatch(thread: Thread<Request, Result>, job: Job<Request, Result>): void {
    thread.job = job;
    thread.worker.ref();
    this.limit(thread, this.options.budgetMs);
    thread.worker.postMessage(job.request, []);
  }

  private limit(thread: Thread<Request, Result>, ms: number): void {
    clearTimeout(thread.timer);
    const timer = setTimeout(() => void this.check(thread, timer), ms);
    thread.timer = timer;
  }

  /** Ends a thread whose job has used up its budget. CPU time cannot exceed elapsed time, so it is read only here. */
  private async check(thread: Thread<Request, Result>, timer: NodeJS.Timeout): Promise<void> {
    if (this.options.isCpuBudget && thread.job && !thread.job.settled) {
      const usedMs = (await cpuMsOf(thread.worker)) - thread.cpuMs;
      // The job may have been finished while the CPU time was read.
      if (thread.timer !== timer) return;
      if (this.options.budgetMs - usedMs >= 1) return this.limit(thread, this.options.budgetMs - usedMs);
    }
    void this.retire(thread, this.failure('took too long'));
    this.pump();
  }

  private retireWhenIdle(thread: Thread<Request, Result>): void {
    const { idleMs } = this.options;
    if (idleMs === undefined || thread.job || !this.threads.has(thread)) return;
    thread.timer = setTimeout(() => void this.retire(thread, this.failure('stopped')), idleMs).unref();
  }

  private finish(thread: Thread<Request, Result>, reply: WorkerReply<Result>): void {
    clearTimeout(thread.timer);
    const job = thread.job;
    delete thread.job;
    delete thread.timer;
    thread.cpuMs = reply.cpuMs ?? 0;
    thread.worker.unref();
    if (reply.ok) job?.succeed(reply.result);
    else job?.fail(this.failure('failed', reply.message));
    if (reply.isLast) void this.retire(thread, this.failure('stopped'));
    this.pump();
    this.retireWhenIdle(thread);
  }

  private replace(thread: Thread<Request, Result>, cause: unknown): void {
    if (!this.threads.delete(thread)) return;
    clearTimeout(thread.timer);
    const job = thread.job;
    if (job && !job.settled) {
      if (job.retries-- > 0) this.queue.unshift(job);
      else job.fail(this.failure('stopped unexpectedly', cause));
    }
    this.pump();
  }

  private abandon(job: Job<Request, Result>): void {
    const waiting = this.queue.indexOf(job);
    if (waiting >= 0) this.queue.splice(waiting, 1);
    for (const thread of this.threads) if (thread.job === job) this.limit(thread, ABANDONED_BUDGET_MS);
  }

  /** Removes the thread from the pool at once, before its termination is confirmed. */
  private async retire(thread: Thread<Request, Result>, error: GatewayError): Promise<void> {
    this.threads.delete(thread);
    clearTimeout(thread.timer);
    thread.job?.fail(error);
    await thread.worker.terminate();
  }

  private failure(what: string, cause?: unknown): GatewayError {
    return new GatewayError('provider_failed', `The built-in ${this.options.name} ${what}. Try again.`, { cause });
  }

  private closedError(): GatewayError {
    return unavailable('The service is shutting down. Try again in a moment.');
  }
}

/**
 * The CPU time of a thread in milliseconds. Infinity if the thread has ended, or if Node is older than 24.6 and cannot
 * read the time.
 */
async function cpuMsOf(worker: Worker): Promise<number> {
  if (!('cpuUsage' in worker)) return Infinity;
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return Infinity;
  }
}

export function abortError(signal: AbortSignal): GatewayError {
  if (signal.reason instanceof GatewayError) return signal.reason;
  return new GatewayError('caller_gone', 'The call was aborted before its audio was complete.', {
    cause: signal.reason,
  });
}

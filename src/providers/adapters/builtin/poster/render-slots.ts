/**
 * Lets only so many pictures be drawn at once. Drawing runs on libuv's few threads, which file access and name look-ups
 * share: without a bound, a burst of images would stop everything else.
 */
export class RenderSlots {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(count: number) {
    this.free = count;
  }

  /** Runs `work` when a slot is free. Throws the signal's reason when it is aborted while waiting. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.enter(signal);
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }

  private async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.free > 0) {
      this.free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(go), 1);
        reject(signal.reason as Error);
      };
      this.waiting.push(go);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}

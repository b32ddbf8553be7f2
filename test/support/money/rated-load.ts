import { Agent } from 'node:http';
import { streamOnce, type SeenStream } from './chat-load.js';

const TICK_MS = 20;
/** The maximum number of concurrent calls. Above it, no new calls start, like behind a load balancer. */
const MAX_OPEN = 2_000;

/** Starts streams at a constant rate, even if earlier streams are still open. */
export class RatedLoad {
  readonly seen: SeenStream[] = [];
  readonly #open = new Set<Promise<void>>();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #timer: NodeJS.Timeout;
  #due = 0;

  constructor(origin: string, key: string, perSecond: number) {
    let at = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#due = Math.min(this.#due + ((now - at) * perSecond) / 1_000, perSecond);
      at = now;
      for (; this.#due >= 1 && this.#open.size < MAX_OPEN; this.#due--) this.#begin(origin, key);
    }, TICK_MS);
  }

  async stop(): Promise<readonly SeenStream[]> {
    clearInterval(this.#timer);
    await Promise.all(this.#open);
    this.#agent.destroy();
    return this.seen;
  }

  /** The longest time in milliseconds without a billed stream. `since`: the start, a value of `performance.now()`. */
  longestGapMs(since: number): number {
    const billed = this.seen.filter(({ usage, endedAt }) => usage && endedAt > since);
    let [longest, last] = [0, since];
    for (const { endedAt } of billed) [longest, last] = [Math.max(longest, endedAt - last), endedAt];
    return longest;
  }

  #begin(origin: string, key: string): void {
    const call = streamOnce({ origin, key, agent: this.#agent }).then((stream) => {
      this.seen.push(stream);
      this.#open.delete(call);
    });
    this.#open.add(call);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';

interface Sample {
  /** A time of performance.now(). */
  readonly from: number;
  readonly to: number;
  /** The duration of a simultaneous /healthz request: the delay that a busy machine causes. */
  readonly idleMs: number;
  /** 0 if there was no response. */
  readonly status: number;
}

const EVERY_MS = 100;

/** Polls /readyz and records the responses with their times. */
export class ReadinessWatch {
  readonly samples: Sample[] = [];
  #going = true;
  readonly #work: Promise<void>;

  constructor(origin: string) {
    this.#work = this.#watch(origin);
  }

  async stop(): Promise<void> {
    this.#going = false;
    await this.#work;
  }

  /** The statuses of requests that were sent and completed within a period. */
  between(from: number, to: number): number[] {
    return this.samples.filter((sample) => sample.from >= from && sample.to <= to).map(({ status }) => status);
  }

  /** The maximum of the time of /readyz minus the time of a simultaneous /healthz. The route /healthz does no work. */
  get slowestMs(): number {
    return Math.max(0, ...this.samples.map(({ from, to, idleMs }) => to - from - idleMs));
  }

  async #watch(origin: string): Promise<void> {
    while (this.#going) {
      const from = performance.now();
      const [status, idleMs] = await Promise.all([
        fetch(`${origin}/readyz`).then(
          async (response) => (await response.arrayBuffer(), response.status),
          () => 0,
        ),
        fetch(`${origin}/healthz`).then(
          async (response) => (await response.arrayBuffer(), performance.now() - from),
          () => 0,
        ),
      ]);
      this.samples.push({ from, to: performance.now(), idleMs, status });
      await sleep(EVERY_MS);
    }
  }
}

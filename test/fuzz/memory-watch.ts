import type { ProbedService } from '../support/services/probed-service.js';

const MIB = 1_048_576;
/** The growth of caches and indexes that is allowed between the second and the last quarter of a run. */
const MAX_USED_GROWTH_BYTES = 32 * MIB;
/** The allowed growth of resident memory. The process may keep memory that threads, allocators and bodies once used. */
const MAX_RSS_GROWTH_BYTES = 256 * MIB;
/** The maximum size of the service's cache of catalogue responses, which are stored by query. */
const MAX_KEPT_RESPONSES_BYTES = 128 * MIB;
/** Each quarter needs two samples. */
export const MIN_SAMPLES = 8;
/** In a shorter run, code is still being compiled and caches are still being filled. */
export const MIN_REQUESTS_FOR_MEMORY = 20_000;

/** Used and resident memory without the cached responses, in bytes. */
export interface MemorySample {
  readonly used: number;
  readonly rss: number;
}

/** The memory of the service, sampled after a forced garbage collection. */
export class MemoryWatch {
  readonly samples: MemorySample[] = [];
  readonly #kept = new Set<string>();
  #keptBytes = 0;

  /** Registers a response that the service caches. Its size is not a leak. */
  keeps(path: string, bytes: number): void {
    if (this.#kept.has(path)) return;
    this.#kept.add(path);
    this.#keptBytes = Math.min(this.#keptBytes + bytes, MAX_KEPT_RESPONSES_BYTES);
  }

  async sample(service: Pick<ProbedService, 'memory'>): Promise<void> {
    const { used, rss } = await service.memory();
    this.samples.push({ used: used - this.#keptBytes, rss: rss - this.#keptBytes });
  }

  /**
   * One fault for each kind of memory that grew by more than is allowed from the second quarter of the run to the last.
   * Empty if the run was too short to judge.
   */
  faults(requests: number): string[] {
    if (this.samples.length < MIN_SAMPLES || requests < MIN_REQUESTS_FOR_MEMORY) return [];
    const { second, last } = this.quarters();
    return [
      ...(last.used - second.used > MAX_USED_GROWTH_BYTES
        ? [`memory in use grew from ${inMib(second.used)} to ${inMib(last.used)} MiB`]
        : []),
      ...(last.rss - second.rss > MAX_RSS_GROWTH_BYTES
        ? [`resident memory grew from ${inMib(second.rss)} to ${inMib(last.rss)} MiB`]
        : []),
    ];
  }

  /** The medians of the second and the last quarter. */
  quarters(): { readonly second: MemorySample; readonly last: MemorySample } {
    const { samples } = this;
    const quarter = Math.floor(samples.length / 4);
    return {
      second: medians(samples.slice(quarter, 2 * quarter)),
      last: medians(samples.slice(samples.length - quarter)),
    };
  }
}

function medians(samples: readonly MemorySample[]): MemorySample {
  const median = (of: (sample: MemorySample) => number): number =>
    samples.map(of).toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0;
  return { used: median(({ used }) => used), rss: median(({ rss }) => rss) };
}

export const inMib = (bytes: number): number => Math.round(bytes / MIB);

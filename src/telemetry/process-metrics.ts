import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { readdir, readFile } from 'node:fs/promises';
import { monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';
import { Config } from '../config/config.js';
import { VERSION } from '../config/version.js';
import { single, type MetricFamily } from './metric-family.js';
import { Metrics } from './metrics.js';
import { exportsMetrics } from './otlp-exporters.js';

/** The sampling interval of the event loop. */
const RESOLUTION_MS = 20;
/** Reported delays cover the last one to two of these periods. */
const WINDOW_MS = 60_000;

type Delays = Readonly<Record<'median' | 'p99' | 'max', number>>;

/** Metrics of the process: CPU time, memory, descriptors, event loop. Measured only if metrics are exported. */
@Injectable()
export class ProcessMetrics implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #collections = { count: 0, seconds: 0 };
  readonly #collector = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      this.#collections.count++;
      this.#collections.seconds += duration / 1000;
    }
  });
  #previous: Delays | undefined;
  #windows: NodeJS.Timeout | undefined;

  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    if (!exportsMetrics(this.config.values)) return;
    this.#delay.enable();
    this.#collector.observe({ entryTypes: ['gc'] });
    this.#windows = setInterval(() => {
      this.#previous = this.#measured();
      this.#delay.reset();
    }, WINDOW_MS).unref();
    this.metrics.add('process', () => this.#families());
  }

  onModuleDestroy(): void {
    clearInterval(this.#windows);
    this.#delay.disable();
    this.#collector.disconnect();
  }

  async #families(): Promise<MetricFamily[]> {
    const { heapUsed, heapTotal, external } = process.memoryUsage();
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const delays = mostOf(this.#measured(), this.#previous);
    const { active } = performance.eventLoopUtilization();
    const gauge = (name: string, help: string, value: number): MetricFamily => single('gauge', name, help, value);
    const counter = (name: string, help: string, value: number): MetricFamily => single('counter', name, help, value);
    return [
      counter('process_cpu_seconds_total', 'CPU time of the process.', (userCPUTime + systemCPUTime) / 1e6),
      {
        ...gauge('process_start_time_seconds', 'Start of the process, Unix time.', performance.timeOrigin / 1000),
        ofProcesses: 'highest',
      },
      gauge('process_resident_memory_bytes', 'Resident memory of the process.', process.memoryUsage.rss()),
      gauge('nodejs_heap_size_used_bytes', 'Used part of the JavaScript heap.', heapUsed),
      gauge('nodejs_heap_size_total_bytes', 'Size of the JavaScript heap.', heapTotal),
      gauge('nodejs_external_memory_bytes', 'Memory of buffers and of native objects outside the heap.', external),
      counter('nodejs_gc_runs_total', 'Garbage collections.', this.#collections.count),
      counter('nodejs_gc_seconds_total', 'Time spent in garbage collections.', this.#collections.seconds),
      counter('gatehouse_event_loop_active_seconds_total', 'Time in which the event loop was busy.', active / 1000),
      {
        type: 'gauge',
        name: 'gatehouse_event_loop_delay_seconds',
        help: 'How late timers were in the last one to two minutes, by statistic.',
        ofProcesses: 'highest',
        samples: Object.entries(delays).map(([statistic, value]) => ({ labels: { statistic }, value })),
      },
      {
        type: 'gauge',
        name: 'gatehouse_build_info',
        help: 'Always 1; the labels name the versions.',
        ofProcesses: 'highest',
        samples: [{ labels: { version: VERSION, node: process.version }, value: 1 }],
      },
      ...(await descriptors()),
    ];
  }

  #measured(): Delays {
    // The measured delays include the sampling interval.
    const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
    return {
      median: seconds(this.#delay.percentile(50)),
      p99: seconds(this.#delay.percentile(99)),
      max: this.#delay.count === 0 ? 0 : seconds(this.#delay.max),
    };
  }
}

const mostOf = (now: Delays, before: Delays = now): Delays => ({
  median: Math.max(now.median, before.median),
  p99: Math.max(now.p99, before.p99),
  max: Math.max(now.max, before.max),
});

/** Open and allowed file descriptors; empty if the system does not report them. */
async function descriptors(): Promise<MetricFamily[]> {
  try {
    const [open, limits] = await Promise.all([readdir('/proc/self/fd'), readFile('/proc/self/limits', 'utf8')]);
    const max = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return [
      single('gauge', 'process_open_fds', 'Open file descriptors.', open.length),
      ...(max ? [single('gauge', 'process_max_fds', 'Allowed file descriptors.', Number(max))] : []),
    ];
  } catch {
    return [];
  }
}

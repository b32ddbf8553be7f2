import { Injectable, Logger } from '@nestjs/common';
import { outsideRequests } from '../kernel/request-scope.js';
import { mergedFamilies } from './merged-families.js';
import type { MetricFamily, Sample } from './metric-family.js';

/** Reads the current values of some metrics. */
type ReadFamilies = () => readonly MetricFamily[] | Promise<readonly MetricFamily[]>;

interface Source {
  readonly name: string;
  readonly read: ReadFamilies;
  readonly isShared: boolean;
  /** The values of the last successful read. */
  last: readonly MetricFamily[];
  isUp: boolean;
}

/** All metrics of the service. Modules register their metrics, which are read at each export. */
@Injectable()
export class Metrics {
  readonly #log = new Logger(Metrics.name);
  readonly #sources: Source[] = [];
  #collecting: Promise<MetricFamily[]> | undefined;

  /** `isShared`: every process of the service has the same values, such as a count of rows. */
  add(name: string, read: ReadFamilies, { isShared = false } = {}): void {
    this.#sources.push({ name, read, isShared, last: [], isUp: true });
  }

  /** The families of this process, without shared families. The supervisor exports the families of all processes. */
  async collectOwn(): Promise<MetricFamily[]> {
    const own = this.#sources.filter(({ isShared }) => !isShared);
    return (await Promise.all(own.map((source) => this.#read(source)))).flat();
  }

  /**
   * All families, sorted by name. A source that fails, such as an unavailable database, keeps its last values;
   * `gatehouse_metrics_source_up` shows the failure. Concurrent readers share one collection.
   */
  collect(): Promise<MetricFamily[]> {
    return (this.#collecting ??= outsideRequests(() => this.#collect()).finally(() => (this.#collecting = undefined)));
  }

  async #collect(): Promise<MetricFamily[]> {
    const families = await Promise.all(this.#sources.map((source) => this.#read(source)));
    const states = this.#sources.map(({ name, isUp }): Sample => ({ labels: { source: name }, value: isUp ? 1 : 0 }));
    const up: MetricFamily = {
      type: 'gauge',
      name: 'gatehouse_metrics_source_up',
      help: 'Whether the metrics of a source were read for this scrape; otherwise they have their last values.',
      samples: states,
    };
    return [...mergedFamilies(families.flat()), up].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async #read(source: Source): Promise<readonly MetricFamily[]> {
    try {
      source.last = await source.read();
      source.isUp = true;
    } catch (error) {
      // Logged once per outage, not once per scrape.
      if (source.isUp) this.#log.warn(`The metrics of ${source.name} could not be read: ${(error as Error).message}`);
      source.isUp = false;
    }
    return source.last;
  }
}

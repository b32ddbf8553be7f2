import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Clock } from '../kernel/clock.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { ModelTrafficSource, type ModelTraffic } from './traffic/model-traffic.port.js';

/** The traffic of each model on this service, refreshed on a timer, so that no request waits for it. */
@Injectable()
export class ModelTrafficCache implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(ModelTrafficCache.name);
  readonly #listeners: (() => void)[] = [];
  #latest: ReadonlyMap<string, ModelTraffic> = new Map();
  readonly #refreshes = new Periodic(
    () => this.refresh(),
    (error) =>
      this.#log.warn(
        `The traffic figures of models could not be refreshed; the earlier figures are still used: ${error.message}`,
      ),
  );

  constructor(
    private readonly source: ModelTrafficSource,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** The figures by model id. Each change creates a new map. */
  get latest(): ReadonlyMap<string, ModelTraffic> {
    return this.#latest;
  }

  /** Calls the listener after each change of a figure. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  onApplicationBootstrap(): void {
    const everyMs = this.config.values.TRAFFIC_FIGURES_INTERVAL_MS;
    if (everyMs === 0) return;
    this.#refreshes.start(everyMs);
    void this.#refreshes.trigger();
  }

  onModuleDestroy(): Promise<void> {
    return this.#refreshes.stop();
  }

  async refresh(): Promise<void> {
    const figures = await this.source.read(this.clock.now());
    if (textOf(figures) === textOf(this.#latest)) return;
    this.#latest = figures;
    for (const listener of this.#listeners) listener();
  }
}

const textOf = (figures: ReadonlyMap<string, ModelTraffic>): string =>
  JSON.stringify([...figures].toSorted(([a], [b]) => (a < b ? -1 : 1)));

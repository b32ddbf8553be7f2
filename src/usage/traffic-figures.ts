import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Clock } from '../kernel/clock.js';
import { ModelTrafficSource, type ModelTraffic } from './model-traffic.port.js';

/** The figures of all models from this service's own traffic, refreshed on a timer: no request ever waits for them. */
@Injectable()
export class TrafficFigures implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(TrafficFigures.name);
  readonly #listeners: (() => void)[] = [];
  #latest: ReadonlyMap<string, ModelTraffic> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly source: ModelTrafficSource,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** By model id. A new map after every change. */
  get latest(): ReadonlyMap<string, ModelTraffic> {
    return this.#latest;
  }

  /** Told when a figure has changed. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  onApplicationBootstrap(): void {
    if (this.config.values.TRAFFIC_FIGURES_INTERVAL_MS > 0) this.#refreshThenWait();
  }

  async onModuleDestroy(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#underWay;
  }

  async refresh(): Promise<void> {
    const figures = await this.source.read(this.clock.now());
    if (textOf(figures) === textOf(this.#latest)) return;
    this.#latest = figures;
    for (const listener of this.#listeners) listener();
  }

  #refreshThenWait(): void {
    this.#underWay = this.refresh()
      .catch((error: Error) =>
        this.#log.warn(`The figures from traffic were not refreshed and stay as they are: ${error.message}`),
      )
      .then(() => {
        if (this.#stopped) return;
        this.#timer = setTimeout(() => this.#refreshThenWait(), this.config.values.TRAFFIC_FIGURES_INTERVAL_MS);
        this.#timer.unref();
      });
  }
}

const textOf = (figures: ReadonlyMap<string, ModelTraffic>): string =>
  JSON.stringify([...figures].toSorted(([a], [b]) => (a < b ? -1 : 1)));

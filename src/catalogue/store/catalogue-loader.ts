import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Notifications } from '../../database/notifications.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { Catalogue } from '../catalogue.js';
import { CatalogueStore } from './catalogue-store.js';
import { effectiveCatalogue } from './effective-catalogue.js';

/**
 * How often the loader looks for changes. Notifications are not sufficient, because they are lost if the connection
 * fails.
 */
const REFRESH_INTERVAL_MS = 15_000;

/** Keeps the shipped and imported catalogue in memory: loads it at start and after every import. */
@Injectable()
export class CatalogueLoader implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(CatalogueLoader.name);
  #revision = 0;
  readonly #refreshes = new Periodic(
    () => this.#loadNewer(),
    (error) => this.#log.warn(`The catalogue could not be read; the earlier catalogue stays in use: ${error.message}`),
  );

  constructor(
    private readonly catalogue: Catalogue,
    private readonly store: CatalogueStore,
    private readonly notifications: Notifications,
  ) {}

  async onModuleInit(): Promise<void> {
    this.notifications.on('catalogue_changed', () => void this.refresh());
    this.notifications.onGap(() => void this.refresh());
    await this.#loadNewer();
  }

  onApplicationBootstrap(): void {
    this.#refreshes.start(REFRESH_INTERVAL_MS);
  }

  onModuleDestroy(): Promise<void> {
    return this.#refreshes.stop();
  }

  /** Loads a newer revision, one read at a time, so that an older state never replaces a newer one. Never rejects. */
  refresh(): Promise<void> {
    return this.#refreshes.trigger();
  }

  async #loadNewer(): Promise<void> {
    if ((await this.store.revision()) === this.#revision) return;
    const stored = await this.store.read();
    const snapshot = effectiveCatalogue(stored, (fault) =>
      this.#log.warn(`An imported entry was skipped: ${fault.message}`),
    );
    this.#revision = stored.revision;
    this.catalogue.swap(snapshot);
  }
}

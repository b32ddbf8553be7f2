import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Notifications } from '../database/notifications.js';
import { Catalogue } from './catalogue.js';
import { CatalogueStore } from './store/catalogue-store.js';
import { effectiveCatalogue } from './store/effective-catalogue.js';

/** A notification can be lost with its connection; then an import is seen this much later. */
const LOOK_EVERY_MS = 15_000;

/** Keeps the catalogue in memory at what ships with the service and what was imported: read at start, and after every import. */
@Injectable()
export class CatalogueLoader implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(CatalogueLoader.name);
  #revision = 0;
  #timer: NodeJS.Timeout | undefined;
  #underWay: Promise<void> = Promise.resolve();
  #stopped = false;

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
    this.#timer = setInterval(() => void this.refresh(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#underWay;
  }

  /** Takes what was imported since; one look at a time, so that an older state never replaces a newer one. */
  refresh(): Promise<void> {
    this.#underWay = this.#underWay
      .then(() => this.#loadNewer())
      .catch((error: Error) => this.#log.warn(`The catalogue was not read again and stays as it is: ${error.message}`));
    return this.#underWay;
  }

  async #loadNewer(): Promise<void> {
    if (this.#stopped || (await this.store.revision()) === this.#revision) return;
    const stored = await this.store.read();
    const snapshot = effectiveCatalogue(stored, (fault) =>
      this.#log.warn(`An imported entry was left out: ${fault.message}`),
    );
    this.#revision = stored.revision;
    this.catalogue.swap(snapshot);
  }
}

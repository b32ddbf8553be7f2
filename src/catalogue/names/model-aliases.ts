import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Notifications } from '../../database/notifications.js';
import type { InTransaction } from '../../database/session-of.js';
import { Sql } from '../../database/sql.js';
import { Clock } from '../../kernel/clock.js';
import { conflict, invalidRequest } from '../../kernel/errors/errors.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { Catalogue } from '../catalogue.js';

/** A name that the operator gave to a model. */
export interface ModelAlias {
  readonly name: string;
  /** The slug of the model. */
  readonly model: string;
  readonly setAt: Date;
}

/** How often aliases are read again, because a notification can be lost with its connection. */
const REFRESH_INTERVAL_MS = 15_000;
const MAX_NAME_CHARACTERS = 200;
/** Visible characters; what a path or a header could not hold is no name. */
const NAME = /^[\x21-\x7e]+$/;

/** The names of models that the operator has set, in memory on every replica. */
@Injectable()
export class ModelAliases implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(ModelAliases.name);
  #slugs: ReadonlyMap<string, string> = new Map();
  readonly #listeners: (() => void)[] = [];
  readonly #refreshes = new Periodic(
    () => this.#load(),
    (error) => this.#log.warn(`The aliases of models were not read again and stay as they are: ${error.message}`),
  );

  constructor(
    private readonly sql: Sql,
    private readonly catalogue: Catalogue,
    private readonly clock: Clock,
    private readonly notifications: Notifications,
  ) {}

  async onModuleInit(): Promise<void> {
    this.notifications.on('model_alias_changed', () => void this.#refreshes.trigger());
    this.notifications.onGap(() => void this.#refreshes.trigger());
    await this.#load();
  }

  onApplicationBootstrap(): void {
    this.#refreshes.start(REFRESH_INTERVAL_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#refreshes.stop();
  }

  /** The slug that a name stands for. */
  slugOf(name: string): string | undefined {
    return this.#slugs.get(name);
  }

  /** Registers a listener that is called after every change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** By name. */
  list(): Promise<ModelAlias[]> {
    return this.sql.query<ModelAlias>('select name, model, set_at as "setAt" from model_alias order by name');
  }

  /** Adds an alias, or changes it. Every replica is notified at commit. */
  async set(name: string, slug: string, inTransaction: InTransaction<ModelAlias>): Promise<ModelAlias> {
    if (name.length > MAX_NAME_CHARACTERS || !NAME.test(name))
      throw invalidRequest(`<name> must be 1 to ${MAX_NAME_CHARACTERS} characters of ASCII without blanks`);
    if (this.catalogue.find(name)) throw conflict(`${name} is the slug of a model, which comes before any alias`);
    const model = this.catalogue.snapshot.idOf(slug);
    if (model === undefined) throw invalidRequest(`No offered model has the slug ${slug}: GET /models lists the slugs`);
    const alias = { name, model, setAt: this.clock.now() };
    await this.sql.transaction(async (session) => {
      await session.query(
        `insert into model_alias (name, model, set_at) values ($1, $2, $3)
          on conflict (name) do update set model = excluded.model, set_at = excluded.set_at`,
        [alias.name, alias.model, alias.setAt],
      );
      await inTransaction(alias, session);
    });
    return alias;
  }

  /** Undefined if there is no such alias. */
  async remove(name: string, inTransaction: InTransaction<ModelAlias>): Promise<ModelAlias | undefined> {
    return this.sql.transaction(async (session) => {
      const [removed] = await session.query<ModelAlias>(
        'delete from model_alias where name = $1 returning name, model, set_at as "setAt"',
        [name],
      );
      if (removed) await inTransaction(removed, session);
      return removed;
    });
  }

  async #load(): Promise<void> {
    const read = new Map((await this.list()).map(({ name, model }) => [name, model]));
    const isSame = read.size === this.#slugs.size && [...read].every(([name, slug]) => this.#slugs.get(name) === slug);
    if (isSame) return;
    this.#slugs = read;
    for (const listener of this.#listeners) listener();
  }
}

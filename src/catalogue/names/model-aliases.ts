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

/** A name that the operator gave to models. */
export interface ModelAlias {
  readonly name: string;
  /** Slugs, never empty. Calls use the first model; the others are its fallbacks, in this order. */
  readonly models: readonly string[];
  readonly setAt: Date;
}

/**
 * How often aliases are read again. Notifications are not sufficient, because they are lost if the connection fails.
 */
const REFRESH_INTERVAL_MS = 15_000;
const MAX_NAME_CHARACTERS = 200;
export const MAX_ALIASED_MODELS = 10;
const MAX_ALIASES = 1_000;
const COLUMNS = `name, array[model] || fallbacks as models, set_at as "setAt"`;
/** Only visible ASCII characters, because names are used in paths and headers. */
const NAME = /^[\x21-\x7e]+$/;

/** The names of models that the operator has set, in memory on every replica. */
@Injectable()
export class ModelAliases implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger(ModelAliases.name);
  #slugs: ReadonlyMap<string, readonly string[]> = new Map();
  /** Aliases with more than one model, by name. */
  #lists: ReadonlyMap<string, readonly string[]> = new Map();
  readonly #listeners: (() => void)[] = [];
  readonly #refreshes = new Periodic(
    () => this.#load(),
    (error) =>
      this.#log.warn(`The aliases of models could not be read; the earlier aliases stay in use: ${error.message}`),
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

  onModuleDestroy(): Promise<void> {
    return this.#refreshes.stop();
  }

  /** The first slug of an alias; undefined if there is no such alias. */
  slugOf(name: string): string | undefined {
    return this.#slugs.get(name)?.[0];
  }

  /** Whether any alias has several models. */
  get hasLists(): boolean {
    return this.#lists.size > 0;
  }

  /** The slugs of an alias with several models; undefined for other names. */
  listOf(name: string): readonly string[] | undefined {
    return this.#lists.get(name);
  }

  /** Registers a listener that is called after every change. */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Sorted by name. */
  list(): Promise<ModelAlias[]> {
    return this.sql.query<ModelAlias>(`select ${COLUMNS} from model_alias order by name`);
  }

  /** Adds an alias, or changes it. Every replica is notified at commit. */
  async set(name: string, slugs: readonly string[], inTransaction: InTransaction<ModelAlias>): Promise<ModelAlias> {
    if (name.length > MAX_NAME_CHARACTERS || !NAME.test(name))
      throw invalidRequest(`The name must be 1 to ${MAX_NAME_CHARACTERS} characters of ASCII without blanks`);
    if (this.catalogue.find(name))
      throw conflict(`${name} is the slug of a model, and a slug takes precedence over an alias`);
    const models = [...new Set(slugs.map((slug) => this.#idOf(slug)))];
    const [model, ...fallbacks] = models;
    const alias = { name, models, setAt: this.clock.now() };
    await this.sql.transaction(async (session) => {
      await session.query(
        `insert into model_alias (name, model, fallbacks, set_at) values ($1, $2, $3, $4)
          on conflict (name) do update set model = excluded.model, fallbacks = excluded.fallbacks,
            set_at = excluded.set_at`,
        [name, model, fallbacks, alias.setAt],
      );
      const [row] = await session.query<{ count: number }>('select count(*)::int as count from model_alias');
      if (row!.count > MAX_ALIASES) throw conflict(`There can be at most ${MAX_ALIASES} aliases: delete one first`);
      await inTransaction(alias, session);
    });
    return alias;
  }

  /** Undefined if there is no such alias. */
  remove(name: string, inTransaction: InTransaction<ModelAlias>): Promise<ModelAlias | undefined> {
    return this.sql.transaction(async (session) => {
      const [removed] = await session.query<ModelAlias>(
        `delete from model_alias where name = $1 returning ${COLUMNS}`,
        [name],
      );
      if (removed) await inTransaction(removed, session);
      return removed;
    });
  }

  #idOf(slug: string): string {
    const id = this.catalogue.snapshot.idOf(slug);
    if (id === undefined)
      throw invalidRequest(`No offered model has the slug ${slug.slice(0, 200)}: GET /models lists the slugs`);
    return id;
  }

  async #load(): Promise<void> {
    const read = new Map((await this.list()).map(({ name, models }) => [name, models]));
    const isSame = ([name, models]: readonly [string, readonly string[]]): boolean =>
      this.#slugs.get(name)?.join(' ') === models.join(' ');
    if (read.size === this.#slugs.size && [...read].every(isSame)) return;
    this.#slugs = read;
    this.#lists = new Map([...read].filter(([, { length }]) => length > 1));
    for (const listener of this.#listeners) listener();
  }
}

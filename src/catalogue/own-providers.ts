import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import type { InChange, InTransaction } from '../database/session-of.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { Clock } from '../kernel/clock.js';
import { conflict, invalidRequest, notFound } from '../kernel/errors/errors.js';
import { Catalogue } from './catalogue.js';
import type { GivenModel, OwnModel, OwnProvider, OwnProviderChanges } from './own-provider.js';
import { faultOfSetup, modelSetupOf } from './own/own-capabilities.js';
import { hasOtherCapabilities } from './own/own-catalogue.js';
import {
  deleteOwnProvider,
  endOwnModel,
  findOwnProvider,
  insertOwnProvider,
  insertOwnVersion,
  readOwnModels,
  readOwnProviders,
  readOwnVersions,
  updateOwnProvider,
} from './own/own-rows.js';
import { CatalogueLoader } from './store/catalogue-loader.js';
import { CatalogueStore } from './store/catalogue-store.js';

const MAX_PROVIDERS = 200;
/** Limited, because every process keeps all models of own providers in memory. */
const MAX_MODELS = 5_000;
/** A provider cannot have these slugs, because they are paths below /providers. */
const RESERVED = ['credentials', 'own'];
/** Characters that both model names and paths can contain unescaped. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Providers and models that the operator adds while the service runs. Every replica is notified of each change. */
@Injectable()
export class OwnProviders {
  constructor(
    private readonly sql: Sql,
    private readonly store: CatalogueStore,
    private readonly catalogue: Catalogue,
    private readonly loader: CatalogueLoader,
    private readonly clock: Clock,
  ) {}

  /** Sorted by slug. */
  list(): Promise<OwnProvider[]> {
    return readOwnProviders(this.sql);
  }

  async create(given: Omit<OwnProvider, 'createdAt'>, inTransaction: InTransaction<OwnProvider>): Promise<OwnProvider> {
    const provider = { ...given, createdAt: this.clock.now() };
    const { slug } = provider;
    await this.#change(async (session) => {
      const known = await readOwnProviders(session);
      if (RESERVED.includes(slug) || known.some((own) => own.slug === slug) || this.#isTaken(slug))
        throw conflict(`The slug ${slug} is taken: choose another one`);
      if (known.length >= MAX_PROVIDERS)
        throw conflict(`There can be at most ${MAX_PROVIDERS} own providers: delete one first`);
      await insertOwnProvider(session, provider);
      await inTransaction(provider, session);
      return provider;
    });
    return provider;
  }

  /**
   * `inTransaction` may throw to refuse the change. Calls under way keep their address. Returns undefined if there is
   * no such provider.
   */
  update(
    slug: string,
    changes: OwnProviderChanges,
    inTransaction: InChange<OwnProvider>,
  ): Promise<OwnProvider | undefined> {
    return this.#change(async (session) => {
      const before = await findOwnProvider(session, slug);
      if (!before) return undefined;
      const changed = { ...before, ...changes };
      await inTransaction(changed, session, before);
      await updateOwnProvider(session, changed);
      return changed;
    });
  }

  /**
   * Also removes the provider's models. `inTransaction` may throw to refuse the removal. Returns undefined if there is
   * no such provider.
   */
  remove(slug: string, inTransaction: InTransaction<OwnProvider>): Promise<OwnProvider | undefined> {
    return this.#change(async (session) => {
      const provider = await findOwnProvider(session, slug);
      if (!provider) return undefined;
      await deleteOwnProvider(session, slug);
      await inTransaction(provider, session);
      return provider;
    });
  }

  /** The current versions of a provider's models, sorted by id. */
  async models(slug: string): Promise<OwnModel[]> {
    await this.#existing(this.sql, slug);
    return (await readOwnModels(this.sql)).filter(({ provider }) => provider === slug);
  }

  /** The versions of a model, newest first. A removed model still has its versions. */
  async versions(slug: string, id: string): Promise<OwnModel[]> {
    await this.#existing(this.sql, slug);
    const versions = await readOwnVersions(this.sql, slug, id);
    if (versions.length === 0) throw notFound('The provider has no model with this id');
    return versions;
  }

  /**
   * A setup that differs from the current one becomes the next version. Calls under way keep their version. `before` is
   * undefined for a new model.
   */
  async setModel(
    slug: string,
    id: string,
    given: GivenModel,
    inTransaction: (model: OwnModel, session: SqlSession, before: OwnModel | undefined) => Promise<void>,
  ): Promise<OwnModel> {
    if (!ID.test(id))
      throw invalidRequest('The id of a model must be 1 to 128 letters, digits, dots, dashes and underscores');
    const setup = modelSetupOf(given);
    const fault = faultOfSetup(setup);
    if (fault !== undefined) throw invalidRequest(fault);
    const set = await this.#change(async (session) => {
      const provider = await this.#existing(session, slug);
      if (setup.capability !== undefined && !hasOtherCapabilities(provider))
        throw invalidRequest(`A provider of the format ${provider.format} can have only chat models`);
      const models = await readOwnModels(session);
      const current = models.find((model) => model.provider === slug && model.id === id);
      if (!current && models.length >= MAX_MODELS)
        throw conflict(`There can be at most ${MAX_MODELS} models of own providers: delete one first`);
      if (current && isDeepStrictEqual(current.setup, setup)) return current;
      const made = await insertOwnVersion(session, slug, id, setup, this.clock.now());
      await inTransaction(made, session, current);
      return made;
    });
    return set!;
  }

  /** Undefined if there is no such model. */
  removeModel(slug: string, id: string, inTransaction: InTransaction<string>): Promise<string | undefined> {
    return this.#change(async (session) => {
      if (!(await endOwnModel(session, slug, id))) return undefined;
      const name = `${slug}/${id}`;
      await inTransaction(name, session);
      return name;
    });
  }

  /** When the promise resolves, this process uses the changed data. Other processes use them after the notification. */
  async #change<T>(work: (session: SqlSession) => Promise<T | undefined>): Promise<T | undefined> {
    const result = await this.store.changingOwn(work);
    await this.loader.refresh();
    return result;
  }

  async #existing(session: SqlSession, slug: string): Promise<OwnProvider> {
    const provider = await findOwnProvider(session, slug);
    if (!provider) throw notFound('No own provider has this slug');
    return provider;
  }

  /**
   * Whether a provider of the catalogue or the author of a model has this slug. Own providers are checked in the
   * database instead.
   */
  #isTaken(slug: string): boolean {
    const provider = this.catalogue.provider(slug);
    if (provider) return !provider.own;
    return this.catalogue.all().some(({ id }) => id.startsWith(`${slug}/`));
  }
}

import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { InTransaction } from '../../database/session-of.js';
import { Sql, type SqlSession } from '../../database/sql.js';
import type { BenchmarkSource } from '../benchmark.js';
import type { ModelEntry, ProviderEntry } from '../entries/entry.js';
import type { ImportRecord } from '../import-record.js';
import { readOwnModels, readOwnProviders, type OwnRows } from '../own/own-rows.js';

/** The operator's imports as stored; the entries are not yet validated. */
export interface StoredCatalogue {
  /** Grows with every import and every change of own providers; 0 before the first. */
  readonly revision: number;
  readonly models: readonly unknown[];
  readonly providers: readonly unknown[];
  readonly benchmarks: Readonly<Partial<Record<BenchmarkSource, unknown>>>;
  readonly own: OwnRows;
}

/** Long, because this background read returns thousands of entries. */
const READ_TIMEOUT_MS = 60_000;

/** The tables of imports. */
@Injectable()
export class CatalogueStore {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  revision(): Promise<number> {
    return lastRevision(this.sql);
  }

  /** Reads one consistent state of all tables. */
  read(): Promise<StoredCatalogue> {
    return this.sql.transaction(
      async (session) => {
        await session.query('set transaction isolation level repeatable read, read only');
        return readAll(session);
      },
      { timeoutMs: READ_TIMEOUT_MS },
    );
  }

  /**
   * Runs `work` in a transaction with a lock that only one import at a time can hold. Data that `work` reads therefore
   * stays current until the commit, and revisions grow in commit order.
   */
  importing<T>(
    record: ImportRecord,
    work: (session: ImportSession) => Promise<T>,
    inTransaction?: InTransaction<ImportRecord>,
  ): Promise<T> {
    return this.sql.transaction(async (session) => {
      await session.query('lock table catalogue_import in exclusive mode');
      const result = await work(new ImportSession(session, record, this.clock.now()));
      await inTransaction?.(record, session);
      return result;
    });
  }

  /**
   * Like `importing`, for own providers and models. Sends no notification if `work` returns undefined, which means that
   * nothing changed.
   */
  changingOwn<T>(work: (session: SqlSession) => Promise<T | undefined>): Promise<T | undefined> {
    return this.importing(OWN_CHANGE, async (changes) => {
      const result = await work(changes.session);
      if (result !== undefined) await changes.revision();
      return result;
    });
  }
}

const OWN_CHANGE: ImportRecord = { kind: 'catalogue', format: 'own', digest: '', entries: 1 };

async function lastRevision(session: SqlSession): Promise<number> {
  const [row] = await session.query<{ no: number | null }>('select max(no) as no from catalogue_import');
  return row?.no ?? 0;
}

async function readAll(session: SqlSession): Promise<StoredCatalogue> {
  const revision = await lastRevision(session);
  const models = await session.query<{ entry: unknown }>('select entry from catalogue_model order by id');
  const providers = await session.query<{ entry: unknown }>('select entry from catalogue_provider order by slug');
  const benchmarks = await session.query<{ source: BenchmarkSource; scores: unknown }>(
    'select source, scores from catalogue_benchmarks',
  );
  return {
    revision,
    models: models.map(({ entry }) => entry),
    providers: providers.map(({ entry }) => entry),
    benchmarks: Object.fromEntries(benchmarks.map(({ source, scores }) => [source, scores])),
    own: { providers: await readOwnProviders(session), models: await readOwnModels(session) },
  };
}

/** The transaction of one import. */
class ImportSession {
  #revision: number | undefined;

  constructor(
    readonly session: SqlSession,
    private readonly record: ImportRecord,
    private readonly now: Date,
  ) {}

  read(): Promise<StoredCatalogue> {
    return readAll(this.session);
  }

  /** Deletes all imported models and vendors. */
  async clearCatalogue(): Promise<void> {
    await this.session.query('delete from catalogue_model');
    await this.session.query('delete from catalogue_provider');
  }

  writeModels(entries: readonly ModelEntry[]): Promise<void> {
    return this.#upsert('catalogue_model', 'id', entries);
  }

  writeProviders(entries: readonly ProviderEntry[]): Promise<void> {
    return this.#upsert('catalogue_provider', 'slug', entries);
  }

  async writeBenchmarks(source: BenchmarkSource, scores: object): Promise<void> {
    const no = await this.revision();
    await this.session.query(
      `insert into catalogue_benchmarks (source, scores, import_no) values ($1, $2, $3) on conflict (source)
        do update set scores = excluded.scores, import_no = excluded.import_no`,
      [source, JSON.stringify(scores), no],
    );
  }

  async #upsert<Key extends 'id' | 'slug'>(
    table: 'catalogue_model' | 'catalogue_provider',
    key: Key,
    entries: readonly Readonly<Record<Key, string>>[],
  ): Promise<void> {
    const no = await this.revision();
    await this.session.query(
      `insert into ${table} (${key}, entry, import_no) select k, e::jsonb, $3
        from unnest($1::text[], $2::text[]) as given (k, e)
       on conflict (${key}) do update set entry = excluded.entry, import_no = excluded.import_no`,
      [entries.map((entry) => entry[key]), entries.map((entry) => JSON.stringify(entry)), no],
    );
  }

  /** The number of the new revision, which is created at the first call. Every replica is notified of it at commit. */
  async revision(): Promise<number> {
    if (this.#revision === undefined) {
      const { kind, format, digest, entries } = this.record;
      const [row] = await this.session.query<{ no: number }>(
        `insert into catalogue_import (kind, format, digest, entries, imported_at) values ($1, $2, $3, $4, $5)
          returning no`,
        [kind, format, digest, entries, this.now],
      );
      this.#revision = row!.no;
    }
    return this.#revision;
  }
}

import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sql } from '../../../database/sql.js';
import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import type { CallListPlan, StoredCalls } from '../../call-list.js';
import type { Position } from '../../feed/position.js';
import { retainedFrom } from '../../feed/retained-from.js';
import { UsageFeed, type FedPage } from '../../feed/usage-feed.js';
import { withLagWarning } from '../../query/copy-reader.js';
import { CSV_LINES } from './fed-lines.js';
import type { FollowerOptions, FollowerPhase } from './follower-messages.js';
import { ReadSchedule } from './read-schedule.js';
import { TextSource } from './text-source.js';
import { UsageStore } from './usage-store.js';

/** A settled call must be visible within 2 s. */
const POLL_MS = 750;
const RETRY_MS = 1_000;
/** Calls are considered to be arriving if a call was recorded within this time. */
const RECENT_CALLS_MS = 5_000;
const SWEEP_MS = 60_000;
/**
 * An hour is sorted this long after its end at the earliest, when nearly all of its calls have been recorded. Calls
 * that are recorded later are found more slowly.
 */
const LAID_OUT_AFTER_MS = 600_000;
/** Reading a page of a large history takes seconds. After this time, a read without a response is retried. */
const READ_TIMEOUT_MS = 60_000;

/** Rotations of keys within this time are read again. A transaction that rotates a key takes far less time. */
const ROTATED_WITHIN_MS = 600_000;

/**
 * A database error, after which the work is retried. Any other error ends the process, and a new process resumes from
 * the file.
 */
class DatabaseFault extends Error {}

/** Keeps a store up to date with the database and runs queries on it. */
export class Follower {
  readonly #sql: Sql;
  readonly #feed: UsageFeed;
  readonly #texts: TextSource;
  readonly #schedule: ReadSchedule;
  #store!: UsageStore;
  #ahead: { readonly from: Position; readonly page: Promise<FedPage> } | undefined;
  #caughtUpAt = 0;
  /** The time of the database, in milliseconds, up to which the store is complete. */
  #completeTo = 0;
  #callsAt = Number.NEGATIVE_INFINITY;
  #sweptAt = 0;
  /** The hashes of rotated keys that the store has, by number of the key. */
  readonly #renamed = new Map<number, string>();

  constructor(
    private readonly options: FollowerOptions,
    private readonly report: { phase(phase: FollowerPhase, isCaughtUp: boolean): void; log(message: string): void },
  ) {
    this.#sql = new Sql(options.databaseUrl, 2, { timeoutMs: READ_TIMEOUT_MS, pooled: options.pooled });
    this.#feed = new UsageFeed(this.#sql, CSV_LINES);
    // The store reads texts during its transaction, so that a database error rolls the transaction back.
    this.#texts = new TextSource({ query: (text, params) => asDatabaseFault(this.#sql.query(text, params)) });
    this.#schedule = new ReadSchedule(
      options.threads,
      Math.max(1, Math.min(options.threads, availableParallelism() - 1)),
      (threads) => this.#store.setThreads(threads),
    );
  }

  /** Copies records to the store until the signal aborts. Rejects when the store fails. */
  async run(signal: AbortSignal): Promise<void> {
    this.#store = await UsageStore.open(this.options);
    let position: Position | undefined;
    while (!signal.aborted) {
      try {
        position = await this.#step(position);
        if (position.mode === 'following' && position.target === null) await sleep(POLL_MS, undefined, { signal });
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof DatabaseFault)) throw error;
        // The server may have crashed, so resume from the stored position, or a little before it.
        position = undefined;
        this.#renamed.clear();
        this.report.log(`The analytics store cannot read the records at present: ${error.message}`);
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    this.#store.close();
    await this.#sql.close();
  }

  async read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    const result = await this.#schedule.run(this.#hasRecentCalls(), () => this.#store.read(plan, signal), signal);
    return withLagWarning(result, performance.now() - this.#caughtUpAt);
  }

  async list(plan: CallListPlan, signal: AbortSignal): Promise<StoredCalls> {
    const asOf = this.#completeTo;
    const rows = await this.#schedule.run(this.#hasRecentCalls(), () => this.#store.list(plan, signal), signal);
    return { rows, asOf };
  }

  #hasRecentCalls(): boolean {
    return performance.now() - this.#callsAt < RECENT_CALLS_MS;
  }

  async #step(known: Position | undefined): Promise<Position> {
    const position = await this.#validPosition(known);
    const page = await this.#pageAt(position);
    if (page.lines !== null || page.next.mode !== position.mode || position.mode === 'filling')
      await this.#schedule.write(this.#hasRecentCalls(), () => this.#store.add(page.lines, page.next, this.#texts));
    // A position that is resumed may be older than the contents of the store.
    if (page.next.mode === 'following') this.#completeTo = Math.max(this.#completeTo, page.next.at);
    if (page.isLast) {
      this.#caughtUpAt = performance.now();
      await this.#replaceKeyHashes();
    }
    if (position.mode === 'following' && page.rows > 0) this.#callsAt = performance.now();
    this.report.phase(page.next.mode, page.isLast);
    return page.next;
  }

  /**
   * Replaces the hashes of rotated keys in the store. Each rotation is read several times, because it may be committed
   * after a later rotation.
   */
  async #replaceKeyHashes(): Promise<void> {
    const rotated = await this.#texts.rotatedKeys(this.#renamed.size === 0 ? null : ROTATED_WITHIN_MS);
    const keys = rotated.filter(({ no, hash }) => this.#renamed.get(no) !== hash);
    if (keys.length === 0) return;
    await this.#store.replaceKeyHashes(keys);
    for (const { no, hash } of keys) this.#renamed.set(no, hash);
  }

  /** While the store adds a page, the database prepares the next one, which halves the time of copying. */
  async #pageAt(position: Position): Promise<FedPage> {
    const page = await asDatabaseFault(this.#ahead?.from === position ? this.#ahead.page : this.#feed.next(position));
    this.#ahead = page.next.mode === 'filling' ? { from: page.next, page: this.#feed.next(page.next) } : undefined;
    // The next call of `#pageAt` throws the error of this page. Without a next call, the error does not matter.
    this.#ahead?.page.catch(() => undefined);
    return page;
  }

  /**
   * Returns the position to continue from. Returns `known` unchanged for a minute, unless `known` is outdated.
   * Otherwise checks the position, and replaces an invalid position.
   */
  async #validPosition(known: Position | undefined): Promise<Position> {
    if (known && performance.now() - this.#sweptAt < SWEEP_MS && !(await asDatabaseFault(this.#feed.isOutdated(known))))
      return known;
    this.#sweptAt = performance.now();
    const stored = known ?? (await this.#store.position());
    const { position, from } = await asDatabaseFault(this.#feed.resume(stored));
    if (from === 'stored') {
      if (position.mode === 'following') {
        if (this.options.retentionDays !== null)
          await this.#store.removeBefore(retainedFrom(this.options.retentionDays));
        await this.#store.layOut(Date.now() - LAID_OUT_AFTER_MS);
      }
      // Store the position even if there are no new records. Otherwise it would become older than the entries in the
      // outbox.
      if (known) await this.#store.add(null, known, this.#texts);
      return known ?? position;
    }
    this.report.phase('filling', false);
    this.#completeTo = 0;
    if (stored && from === 'new') {
      this.#store.close();
      await UsageStore.remove(this.options.folder);
      this.#store = await UsageStore.open(this.options);
    }
    return position;
  }
}

async function asDatabaseFault<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new DatabaseFault((error as Error).message, { cause: error });
  }
}

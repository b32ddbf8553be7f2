import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sql } from '../../../database/sql.js';
import type { AnalyticsPlan, AnalyticsResult } from '../../analytics-query.js';
import type { FollowerOptions, FollowerPhase } from './follower-messages.js';
import type { Position } from './position.js';
import { ReadTurns } from './read-turns.js';
import { TextSource } from './text-source.js';
import { UsageFeed, type FedPage } from './usage-feed.js';
import { UsageStore } from './usage-store.js';

/** A settled call is to be seen within 2 s. */
const POLL_MS = 750;
const RETRY_MS = 1_000;
/** From here on answers say that they may lack calls; some rounds take longer than others. */
const LATE_MS = 5_000;
/** Calls come in where some were recorded so recently. */
const CALLS_MS = 5_000;
const UPKEEP_MS = 60_000;
/** By then nearly every call of an hour has been recorded; one that comes later is found as well, if more slowly. */
const LAID_OUT_AFTER_MS = 600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A fault of the database, which heals by itself; any other fault ends the process, and a new one begins from the file. */
class DatabaseFault extends Error {}

/** Keeps a store in step with the database and answers from it. */
export class Follower {
  readonly #sql: Sql;
  readonly #feed: UsageFeed;
  readonly #texts: TextSource;
  readonly #turns: ReadTurns;
  #store!: UsageStore;
  #ahead: { readonly from: Position; readonly page: Promise<FedPage> } | undefined;
  #caughtUpAt = 0;
  #callsAt = Number.NEGATIVE_INFINITY;
  #keptAt = 0;

  constructor(
    private readonly options: FollowerOptions,
    private readonly tell: { phase(phase: FollowerPhase): void; log(message: string): void },
  ) {
    this.#sql = new Sql(options.databaseUrl, 2);
    this.#feed = new UsageFeed(this.#sql);
    this.#texts = new TextSource(this.#sql);
    this.#turns = new ReadTurns(
      options.threads,
      Math.max(1, Math.min(options.threads, availableParallelism() - 1)),
      (threads) => this.#store.setThreads(threads),
    );
  }

  /** Follows until the signal aborts. Rejects when the store fails. */
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
        // The server may have crashed: what is stored, and a little before it, is where to go on.
        position = undefined;
        this.tell.log(`The records cannot be followed just now: ${error.message}`);
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    this.#store.close();
    await this.#sql.close();
  }

  async read(plan: AnalyticsPlan, signal: AbortSignal): Promise<AnalyticsResult> {
    const result = await this.#turns.run(this.#callsComeIn(), () => this.#store.read(plan, signal), signal);
    const behindMs = performance.now() - this.#caughtUpAt;
    return behindMs <= LATE_MS
      ? result
      : {
          ...result,
          warnings: [
            ...result.warnings,
            `The analytics store is ${Math.ceil(behindMs / 1000)} s behind: the newest calls may be missing`,
          ],
        };
  }

  #callsComeIn(): boolean {
    return performance.now() - this.#callsAt < CALLS_MS;
  }

  async #step(known: Position | undefined): Promise<Position> {
    const position = await this.#whereToGoOn(known);
    const page = await this.#pageAt(position);
    // The texts come from the database in the middle of the store's work: a fault there rolls the work back.
    if (page.csv !== null || page.next.mode !== position.mode || position.mode === 'filling')
      await this.#turns.write(this.#callsComeIn(), () => this.#store.add(page.csv, page.next, this.#faultyTexts()));
    if (page.isLast) this.#caughtUpAt = performance.now();
    if (position.mode === 'following' && page.rows > 0) this.#callsAt = performance.now();
    this.tell.phase(page.next.mode);
    return page.next;
  }

  /** While the store takes a page in, the database gets the next one ready: copying is twice as fast so. */
  async #pageAt(position: Position): Promise<FedPage> {
    const page = await ofDatabase(this.#ahead?.from === position ? this.#ahead.page : this.#feed.next(position));
    this.#ahead = page.next.mode === 'filling' ? { from: page.next, page: this.#feed.next(page.next) } : undefined;
    // Whoever asks for it hears of its failure; where nobody does, it does not matter.
    this.#ahead?.page.catch(() => undefined);
    return page;
  }

  /** The first time, and once a minute, looks whether the stored position still leads anywhere. */
  async #whereToGoOn(known: Position | undefined): Promise<Position> {
    if (known && performance.now() - this.#keptAt < UPKEEP_MS && !(await ofDatabase(this.#feed.isOutdated(known))))
      return known;
    this.#keptAt = performance.now();
    const stored = known ?? (await this.#store.position());
    const { position, from } = await ofDatabase(this.#feed.resume(stored));
    if (from === 'stored') {
      if (position.mode === 'following') {
        if (this.options.retentionDays !== null) await this.#store.removeBefore(cutoff(this.options.retentionDays));
        await this.#store.layOut(Date.now() - LAID_OUT_AFTER_MS);
      }
      // Where nothing is recorded for long, what is stored would fall behind what the outbox keeps.
      if (known) await this.#store.add(null, known, this.#texts);
      return known ?? position;
    }
    this.tell.phase('filling');
    if (stored && from === 'new') {
      this.#store.close();
      await UsageStore.remove(this.options.folder);
      this.#store = await UsageStore.open(this.options);
    }
    return position;
  }

  #faultyTexts(): TextSource {
    const texts = this.#texts;
    return {
      labels: (ids: readonly number[]) => ofDatabase(texts.labels(ids)),
      keys: (nos: readonly number[]) => ofDatabase(texts.keys(nos)),
      workspaces: (nos: readonly number[]) => ofDatabase(texts.workspaces(nos)),
    } as TextSource;
  }
}

const cutoff = (days: number): number => Math.floor((Date.now() - days * DAY_MS) / DAY_MS) * DAY_MS;

async function ofDatabase<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new DatabaseFault((error as Error).message, { cause: error });
  }
}

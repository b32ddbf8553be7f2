import { setTimeout as sleep } from 'node:timers/promises';
import { Sql } from '../../../database/sql.js';
import { reasonOf } from '../../../kernel/errors/errors.js';
import type { Position } from '../../feed/position.js';
import { retainedFrom } from '../../feed/retained-from.js';
import { UsageFeed, type FedPage } from '../../feed/usage-feed.js';
import { blockText, CallBlocks } from './call-blocks.js';
import type { ClickHouseConnection } from './clickhouse-connection.js';
import { FeedLease, LeaseLost, type FeedState } from './feed-lease.js';
import { JSON_LINES } from './json-lines.js';

/** A settled call must be visible within 2 s. */
const POLL_MS = 750;
const RETRY_MS = 1_000;
/** The interval at which a process without the lease tries to take the lease. */
const LEASE_POLL_MS = 2_000;
const SWEEP_MS = 60_000;
/** Reading a page of a large history takes seconds. */
const READ_TIMEOUT_MS = 60_000;
/**
 * The time for which blocks may be missing in a cluster. A query may reach a replica that lags behind the replica that
 * received the insert.
 */
const MISSING_BLOCKS_MS = 60_000;
const LOG_AGAIN_MS = 60_000;

export interface ClickHouseFeedOptions {
  readonly databaseUrl: string;
  readonly pooled?: boolean;
  readonly database: string;
  readonly cluster: string | undefined;
  /** Calls older than this many days are deleted; null = never. */
  readonly retentionDays: number | null;
}

/**
 * Copies each recorded call to ClickHouse once. Only one process at a time is the writer. The number and the digest of
 * a block are stored before the block is inserted. A new writer that finds such a block reads the same records again
 * and repeats the insert. The text of the block is then the same, so ClickHouse stores the block once.
 */
export class ClickHouseFeed {
  readonly #sql: Sql;
  readonly #feed: UsageFeed;
  readonly #lease: FeedLease;
  #blocks!: CallBlocks;
  #state!: FeedState;
  /**
   * Whether earlier blocks may contain the next records. If so, ClickHouse is searched for each record before it is
   * inserted.
   */
  #overlaps = true;
  #sweptAt = 0;
  #removedBefore = 0;
  #isWarned = false;
  #missingSince: number | undefined;
  #logged: { readonly message: string; readonly at: number } | undefined;

  constructor(
    private readonly connection: ClickHouseConnection,
    private readonly options: ClickHouseFeedOptions,
    private readonly log: (message: string) => void,
  ) {
    this.#sql = new Sql(options.databaseUrl, 2, { timeoutMs: READ_TIMEOUT_MS, pooled: options.pooled });
    this.#feed = new UsageFeed(this.#sql, JSON_LINES);
    this.#lease = new FeedLease(this.#sql);
  }

  /** Copies calls while this process has the lease, until the signal aborts. Faults are logged and retried. */
  async run(signal: AbortSignal): Promise<void> {
    this.#blocks = new CallBlocks(this.connection, this.options, signal);
    while (!signal.aborted) {
      try {
        if (await this.#lease.take()) {
          await this.#resume();
          await this.#warn();
          for (;;) await this.#round(signal);
        }
        await sleep(LEASE_POLL_MS, undefined, { signal });
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof LeaseLost))
          this.#report(`Records cannot be copied to ClickHouse at present: ${reasonOf(error)}`);
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    await this.#lease.release().catch(() => undefined);
    await this.connection.close();
    await this.#sql.close();
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { position } = this.#state;
    if (await this.#feed.isOutdated(position)) return this.#resume();
    if (performance.now() - this.#sweptAt > SWEEP_MS) await this.#sweep();
    const page = await this.#feed.next(position);
    await this.#store(page);
    if (page.isLast) await sleep(POLL_MS, undefined, { signal });
  }

  /** Continues where the previous writer stopped. */
  async #resume(): Promise<void> {
    const stored = await this.#lease.state();
    const { position, from } = await this.#feed.resume(stored?.position);
    if (!stored || from === 'new' || stored.clears) return this.#startOver(stored, position);
    this.#state = stored;
    this.#overlaps = true;
    await this.#blocks.createIfAbsent();
    if (await this.#lacksBlocks()) return this.#startOver(stored, (await this.#feed.resume(undefined)).position);
    if (from === 'gap') return this.#save({ ...stored, position, open: null });
    if (stored.open) await this.#finish(stored, stored.open);
    const { position: next } = await this.#feed.resume(this.#state.position);
    await this.#save({ ...this.#state, position: next });
  }

  async #startOver(stored: FeedState | undefined, position: Position): Promise<void> {
    const empty: FeedState = { position, block: stored?.block ?? 0, stored: 0, open: null, clears: true };
    // From now on, queries read the records in PostgreSQL.
    await this.#save(empty);
    await this.#blocks.remove();
    await this.#save(empty);
    await this.#blocks.create();
    this.#overlaps = false;
    await this.#save({ ...empty, clears: false });
  }

  /** Repeats the insert of a block, because the previous writer may not have completed it. */
  async #finish(state: FeedState, open: NonNullable<FeedState['open']>): Promise<void> {
    const page = await this.#feed.next(open.again);
    const lines = linesOf(page);
    const fresh = open.overlaps ? await this.#blocks.withoutStored(lines, open.block) : lines;
    const text = blockText(open.block, fresh);
    // Some records were deleted or were written late, so the block cannot be repeated. The next block contains the
    // records that ClickHouse lacks.
    if (text.digest !== open.digest) return this.#save({ ...state, open: null });
    await this.#blocks.insert(text);
    await this.#save({ ...state, position: page.next, stored: open.block, open: null });
  }

  async #store(page: FedPage): Promise<void> {
    const { next } = page;
    const block = this.#state.block + 1;
    const lines = linesOf(page);
    const overlaps = this.#overlaps;
    const fresh = overlaps ? await this.#blocks.withoutStored(lines, block) : lines;
    const state = { ...this.#state, position: next };
    if (fresh.length === 0) await this.#save(state, page.isLast);
    else {
      const text = blockText(block, fresh);
      await this.#save({ ...this.#state, block, open: { block, again: page.again, overlaps, digest: text.digest } });
      await this.#blocks.insert(text);
      await this.#save({ ...state, block, stored: block, open: null }, page.isLast);
    }
    if (page.isLast) this.#overlaps = false;
    // Calls that were recorded while records were copied are also in the outbox.
    else if (page.again.mode === 'filling' && next.mode === 'following') this.#overlaps = true;
  }

  /** Runs once a minute. Checks whether ClickHouse still has the blocks that it confirmed, and deletes old calls. */
  async #sweep(): Promise<void> {
    this.#sweptAt = performance.now();
    if (await this.#lacksBlocks()) return this.#resume();
    const { retentionDays } = this.options;
    if (retentionDays === null) return;
    const before = retainedFrom(retentionDays);
    if (before !== this.#removedBefore) await this.#blocks.removeBefore(before);
    this.#removedBefore = before;
  }

  /**
   * Whether ClickHouse has lost blocks that it confirmed, as after a restore of ClickHouse from a backup. On a cluster,
   * throws until the blocks have been missing for MISSING_BLOCKS_MS.
   */
  async #lacksBlocks(): Promise<boolean> {
    const isMissing = (await this.#blocks.newest()) < this.#state.stored;
    if (!isMissing) this.#missingSince = undefined;
    else if (this.options.cluster !== undefined) {
      this.#missingSince ??= performance.now();
      if (performance.now() - this.#missingSince < MISSING_BLOCKS_MS)
        throw new Error('ClickHouse lacks blocks that it confirmed');
    }
    return isMissing;
  }

  /** Checks and warns only once, because the configuration of a cluster rarely changes. */
  async #warn(): Promise<void> {
    if (this.#isWarned) return;
    if (await this.#blocks.insertsNeedAllServers())
      this.log('The ClickHouse cluster lacks internal_replication: nothing can be copied while a server is down.');
    this.#isWarned = true;
  }

  async #save(state: FeedState, isCaughtUp = false): Promise<void> {
    await this.#lease.save(state, isCaughtUp);
    this.#state = state;
  }

  #report(message: string): void {
    const now = performance.now();
    if (this.#logged?.message === message && now - this.#logged.at < LOG_AGAIN_MS) return;
    this.#logged = { message, at: now };
    this.log(message);
  }
}

const linesOf = ({ lines }: FedPage): readonly string[] => (lines === null ? [] : lines.split('\n'));

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../config/config.js';
import { LoadingCache } from '../database/loading-cache.js';
import { Sql } from '../database/sql.js';
import { atMostEntries } from '../kernel/cache-options.js';
import { LABEL_KIND, type LabelKind } from './generation-record.js';

/** Maximum number of cached labels of each kind. */
const MAX_CACHED_LABELS = 20_000;

/** The time for which the cache records that an account has reached its maximum number of labels. */
const OVERFLOW_TTL_MS = 60_000;

/** The label that is recorded for new texts after an account has reached its maximum. */
const OVERFLOW_LABEL = '(other)';

/** Maps the texts of usage records to numbers, cached in process. */
@Injectable()
export class UsageLabels {
  readonly #numbers = Object.fromEntries(
    Object.keys(LABEL_KIND).map((kind) => [kind, new LRUCache<string, number>(atMostEntries(MAX_CACHED_LABELS))]),
  ) as Record<LabelKind, LRUCache<string, number>>;

  /** Labels of bounded sets. Calls that arrive together just after a start share one query for each label. */
  readonly #bounded = Object.fromEntries(
    Object.entries(this.#numbers).map(([kind, store]) => [
      kind,
      new LoadingCache(store, async (value) => {
        // Read first, because a conflicting insert consumes an identity value.
        return (await this.#find(kind as LabelKind, value)) ?? this.#insert(kind as LabelKind, value);
      }),
    ]),
  ) as Record<LabelKind, LoadingCache<number>>;

  readonly #full = new LRUCache<string, true>({ ...atMostEntries(MAX_CACHED_LABELS), ttl: OVERFLOW_TTL_MS });

  constructor(
    private readonly sql: Sql,
    private readonly config: Config,
  ) {}

  /** The number of a cached label; undefined if the label is not cached. */
  cached(kind: LabelKind, value: string): number | undefined {
    return this.#numbers[kind].get(value);
  }

  /**
   * The number of a label from a bounded set, such as the models of the catalogue. The label is created on first use.
   * Synchronous if cached.
   */
  numberOf(kind: LabelKind, value: string): number | Promise<number> {
    return this.#bounded[kind].get(value);
  }

  /**
   * The number of a text that a caller chose. An account can create USAGE_LABELS_PER_ACCOUNT labels of each kind;
   * further texts are recorded as "(other)".
   */
  async numberFor(accountNo: number, kind: LabelKind, value: string): Promise<number> {
    const cached = this.cached(kind, value);
    if (cached !== undefined) return cached;
    const number = (await this.#find(kind, value)) ?? (await this.#insertCounted(accountNo, kind, value));
    if (number === undefined) return this.numberOf(kind, OVERFLOW_LABEL);
    this.#numbers[kind].set(value, number);
    return number;
  }

  async #insert(kind: LabelKind, value: string): Promise<number> {
    const [made] = await this.sql.query<{ id: number }>(
      'insert into usage_label (kind, value) values ($1, $2) on conflict do nothing returning id',
      [LABEL_KIND[kind], value],
    );
    const id = made?.id ?? (await this.#find(kind, value));
    if (id === undefined) throw new Error(`usage label ${kind} vanished`);
    return id;
  }

  /** Undefined if the account has reached its maximum number of labels. */
  async #insertCounted(accountNo: number, kind: LabelKind, value: string): Promise<number | undefined> {
    const counter = `${accountNo}/${kind}`;
    if (this.#full.has(counter)) return undefined;
    const [made] = await this.sql.query<{ id: number }>(
      `with counted as (
         insert into usage_label_count as c (account_no, kind, labels) select $1, $2, 1 where $4 > 0
         on conflict (account_no, kind) do update set labels = c.labels + 1 where c.labels < $4 returning 1
       )
       insert into usage_label (kind, value) select $2, $3 where exists (select from counted)
       on conflict do nothing returning id`,
      [accountNo, LABEL_KIND[kind], value, this.config.values.USAGE_LABELS_PER_ACCOUNT],
    );
    const id = made?.id ?? (await this.#find(kind, value));
    if (id === undefined) this.#full.set(counter, true);
    return id;
  }

  async #find(kind: LabelKind, value: string): Promise<number | undefined> {
    const [row] = await this.sql.query<{ id: number }>('select id from usage_label where kind = $1 and value = $2', [
      LABEL_KIND[kind],
      value,
    ]);
    return row?.id;
  }
}

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Sql } from '../database/sql.js';
import { LABEL_KIND, type LabelKind } from './label-kinds.js';

/** Of each kind. */
const REMEMBERED = 20_000;

/** Interns the texts of usage records as numbers, cached in process because they repeat. */
@Injectable()
export class UsageLabels {
  readonly #numbers = Object.fromEntries(
    Object.keys(LABEL_KIND).map((kind) => [kind, new LRUCache<string, number>({ max: REMEMBERED })]),
  ) as Record<LabelKind, LRUCache<string, number>>;

  constructor(private readonly sql: Sql) {}

  /** The number of a label, made on first use. Synchronous answers come from the cache. */
  numberOf(kind: LabelKind, value: string): number | Promise<number> {
    return this.#numbers[kind].get(value) ?? this.#intern(kind, value);
  }

  async #intern(kind: LabelKind, value: string): Promise<number> {
    // Read first: an insert that conflicts still burns an identity value.
    const known = await this.#find(kind, value);
    const [row] =
      known ??
      (await this.sql.query<{ id: number }>(
        'insert into usage_label (kind, value) values ($1, $2) on conflict do nothing returning id',
        [LABEL_KIND[kind], value],
      )) ??
      [];
    const id = row?.id ?? (await this.#find(kind, value))?.[0]?.id;
    if (id === undefined) throw new Error(`usage label ${kind} vanished`);
    this.#numbers[kind].set(value, id);
    return id;
  }

  async #find(kind: LabelKind, value: string): Promise<{ id: number }[] | undefined> {
    const rows = await this.sql.query<{ id: number }>('select id from usage_label where kind = $1 and value = $2', [
      LABEL_KIND[kind],
      value,
    ]);
    return rows.length > 0 ? rows : undefined;
  }
}

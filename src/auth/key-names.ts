import { EntityManager, type FilterQuery } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ApiKey } from '../database/entities/api-key.entity.js';
import { Sql } from '../database/sql.js';
import { containing } from '../database/containing.js';
import { keysWithin, type KeyReach } from './api-keys.js';
import { isKeyHash } from './key-secret.js';

/**
 * Selects the keys whose names a caller may read. `onlyNo`: the number of the key if the caller may read the name of
 * only one key.
 */
export interface NameReach extends KeyReach {
  readonly onlyNo?: number;
}

/** A key, with the current or former hash by which it was found. */
export interface NamedKey {
  readonly hash: string;
  readonly key: ApiKey;
}

/** Finds the names of keys. Deleted keys are included, and rotated keys are also found by their former hashes. */
@Injectable()
export class KeyNames {
  constructor(
    private readonly em: EntityManager,
    private readonly sql: Sql,
  ) {}

  /** Uses two statements for any number of hashes. Omits hashes outside the reach. */
  async named(reach: NameReach, hashes: readonly string[]): Promise<NamedKey[]> {
    const wanted = [...new Set(hashes)].filter(isKeyHash);
    if (wanted.length === 0) return [];
    const former = await this.sql.query<{ hash: string; key_no: number }>(
      'select hash, key_no from key_alias where hash = any($1::text[])',
      [wanted],
    );
    const where = { $or: [{ hash: { $in: wanted } }, { no: { $in: former.map(({ key_no: no }) => no) } }] };
    const keys = await this.em.fork().find(ApiKey, { $and: [within(reach), where] });
    const byHash = new Map(keys.map((key) => [key.hash, key]));
    const byNo = new Map(keys.map((key) => [key.no, key]));
    for (const { hash, key_no: no } of former) if (byNo.has(no)) byHash.set(hash, byNo.get(no)!);
    return wanted.flatMap((hash) => (byHash.has(hash) ? [{ hash, key: byHash.get(hash)! }] : []));
  }

  /** Keys whose name or label contains the text: newest first, but deleted keys last. Omits keys of sessions. */
  async search(reach: NameReach, text: string, limit: number): Promise<NamedKey[]> {
    const pattern = { $ilike: containing(text) };
    const where = { consoleSessionId: null, $or: [{ name: pattern }, { label: pattern }] };
    const orderBy = { deletedAt: 'desc nulls first', createdAt: 'desc', no: 'desc' } as const;
    const keys = await this.em.fork().find(ApiKey, { $and: [within(reach), where] }, { orderBy, limit });
    return keys.map((key) => ({ hash: key.hash, key }));
  }
}

const within = ({ onlyNo, ...reach }: NameReach): FilterQuery<ApiKey> & object =>
  onlyNo === undefined ? keysWithin(reach) : { $and: [keysWithin({ accountId: reach.accountId }), { no: onlyNo }] };

import { Injectable } from '@nestjs/common';
import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importJWK,
  importPKCS8,
  type JWK,
} from 'jose';
import type { webcrypto } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { LoadingCache } from '../database/loading-cache.js';
import { Sql, type SqlSession } from '../database/sql.js';
import { atMostEntries } from '../kernel/cache-options.js';
import { Clock } from '../kernel/clock.js';
import { SecretValue } from '../kernel/secret-value.js';
import { SecretBox } from '../secrets/secret-box.js';

export const SIGNING_ALGORITHM = 'ES256';
/** How long a key signs. Afterwards the next read of the current keys creates another key. */
const SIGNING_KEY_LIFE_MS = 30 * 86_400_000;
/** The number of keys that are kept: the current key, and the previous key, because its tokens may still be valid. */
const KEPT_KEYS = 2;
const MAX_CACHED_KIDS = 1_000;
const MAX_CACHE_AGE_MS = 60_000;

/** A public key as it is published. */
export interface PublishedKey {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly alg: 'ES256';
  readonly use: 'sig';
  readonly kid: string;
  readonly x: string;
  readonly y: string;
}

interface KeyRow {
  readonly kid: string;
  readonly publicJwk: PublishedKey;
  readonly dataKeyId: string;
  readonly sealedKey: Buffer;
  readonly createdAt: Date;
}

/** `key` is null if no key has the requested id. */
interface FoundKey {
  readonly key: webcrypto.CryptoKey | null;
}

interface Signer {
  readonly kid: string;
  readonly key: webcrypto.CryptoKey;
}

const ROWS = `select kid, public_jwk as "publicJwk", data_key_id as "dataKeyId", sealed_key as "sealedKey",
  created_at as "createdAt" from signing_key order by created_at desc, kid`;

/** The keys that sign access tokens. All replicas share the rows of `signing_key`; the private keys are sealed. */
@Injectable()
export class SigningKeys {
  #signer: Signer | undefined;
  readonly #public: LoadingCache<FoundKey>;

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly box: SecretBox,
  ) {
    const store = new LRUCache<string, FoundKey>({ ...atMostEntries(MAX_CACHED_KIDS), ttl: MAX_CACHE_AGE_MS });
    this.#public = new LoadingCache<FoundKey>(store, (kid) => this.#read(kid));
  }

  /** The key that signs now. Throws `unavailable` without the master key. */
  async signer(): Promise<Signer> {
    const [row] = await this.#current();
    if (this.#signer?.kid === row!.kid) return this.#signer;
    const pem = await this.box.open(row!.dataKeyId, bindingOf(row!.kid), row!.sealedKey);
    return (this.#signer = { kid: row!.kid, key: await importPKCS8(pem.reveal(), SIGNING_ALGORITHM) });
  }

  /** Newest first. */
  async published(): Promise<PublishedKey[]> {
    return (await this.#current()).map(({ publicJwk }) => publicJwk);
  }

  /**
   * Returns null if the key does not exist. Null is cached too, because a key id cannot be known before its key
   * exists: the id is the thumbprint of the key.
   */
  async publicKey(kid: string): Promise<webcrypto.CryptoKey | null> {
    return (await this.#public.get(kid)).key;
  }

  /** All stored keys, newest first. Creates a new key if the newest one is too old to sign. */
  async #current(): Promise<KeyRow[]> {
    const rows = await this.sql.query<KeyRow>(ROWS);
    return this.#isFresh(rows) ? rows : this.sql.transaction((session) => this.#rotate(session));
  }

  /** Locks the table, so that replicas that rotate at the same time create only one key. */
  async #rotate(session: SqlSession): Promise<KeyRow[]> {
    await session.query('lock table signing_key in exclusive mode');
    const rows = await session.query<KeyRow>(ROWS);
    if (this.#isFresh(rows)) return rows;
    const made = await this.#make(session);
    for (const { kid, dataKeyId } of rows.slice(KEPT_KEYS - 1)) {
      await session.query('delete from signing_key where kid = $1', [kid]);
      await this.box.destroyDataKey(dataKeyId, session);
    }
    return [made, ...rows.slice(0, KEPT_KEYS - 1)];
  }

  async #make(session: SqlSession): Promise<KeyRow> {
    const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const { x, y } = (await exportJWK(publicKey)) as { x: string; y: string };
    const point: JWK = { kty: 'EC', crv: 'P-256', x, y };
    const kid = await calculateJwkThumbprint(point);
    const publicJwk: PublishedKey = { kty: 'EC', crv: 'P-256', alg: SIGNING_ALGORITHM, use: 'sig', kid, x, y };
    const dataKeyId = await this.box.createDataKey(session);
    const pem = new SecretValue(await exportPKCS8(privateKey));
    const sealedKey = await this.box.seal(dataKeyId, bindingOf(kid), pem, session);
    const createdAt = this.clock.now();
    await session.query(
      'insert into signing_key (kid, public_jwk, data_key_id, sealed_key, created_at) values ($1, $2, $3, $4, $5)',
      [kid, publicJwk, dataKeyId, sealedKey, createdAt],
    );
    return { kid, publicJwk, dataKeyId, sealedKey, createdAt };
  }

  async #read(kid: string): Promise<FoundKey> {
    const [row] = await this.sql.query<Pick<KeyRow, 'publicJwk'>>(
      'select public_jwk as "publicJwk" from signing_key where kid = $1',
      [kid],
    );
    return { key: row ? await importJWK(row.publicJwk, SIGNING_ALGORITHM) : null };
  }

  #isFresh([newest]: readonly KeyRow[]): boolean {
    return newest !== undefined && this.clock.now().getTime() - newest.createdAt.getTime() < SIGNING_KEY_LIFE_MS;
  }
}

const bindingOf = (kid: string): string => `signing_key:${kid}`;

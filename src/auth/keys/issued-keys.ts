import { Injectable, Logger } from '@nestjs/common';
import { Notifications } from '../../database/notifications.js';
import { Sql } from '../../database/sql.js';

/** With four bits set for each key, about one unknown hash in 400 is a false positive if the filter is full. */
const BITS_PER_KEY = 16;
const HASHES_PER_KEY = 4;
const MIN_BITS = 65_536;
const PAGE = 10_000;

/**
 * A Bloom filter of the hashes of existing keys. While an address is throttled, keys that cannot exist are refused
 * without a database lookup, and existing keys still work. The first use starts to load the filter. Until it is loaded,
 * `mayExist` returns true for every key.
 */
@Injectable()
export class IssuedKeys {
  readonly #log = new Logger(IssuedKeys.name);
  #bits: Uint32Array | undefined;
  #capacity = 0;
  #keys = 0;
  #loading: Promise<void> | undefined;
  /**
   * The hashes from notifications that arrive while #read runs. #reset replaces the array, so that #read detects lost
   * notifications.
   */
  #changed: string[] = [];

  constructor(
    private readonly sql: Sql,
    private readonly notifications: Notifications,
  ) {
    notifications.on('api_key_changed', (hash) => this.#add(hash));
    notifications.onGap(() => this.#reset());
  }

  /** Returns false only if no key has the hash. `hash`: 64 lowercase hex characters. */
  mayExist(hash: string): boolean {
    // Without notifications, the filter would not have the keys that were created after it was loaded.
    if (!this.notifications.isListening) return true;
    if (!this.#bits) {
      this.#load();
      return true;
    }
    return positionsOf(hash, this.#bits).every((position) => this.#isSet(position));
  }

  #load(): void {
    this.#loading ??= this.#read()
      .catch((error: Error) =>
        this.#log.warn(`The hashes of the API keys could not be read; this is retried: ${error.message}`),
      )
      .finally(() => (this.#loading = undefined));
  }

  async #read(): Promise<void> {
    const changed: string[] = [];
    this.#changed = changed;
    const hashes: string[] = [];
    for (let last = ''; ; last = hashes.at(-1)!) {
      const rows = await this.sql.query<{ hash: string }>(
        `select hash from (
           select hash from api_key where hash > $1 and deleted_at is null
           union all select hash from key_alias where hash > $1) issued
         order by hash limit $2`,
        [last, PAGE],
      );
      for (const { hash } of rows) hashes.push(hash);
      if (rows.length < PAGE) break;
    }
    // Notifications were lost during the read, so keys may be missing.
    if (this.#changed !== changed) return;
    // The filter has space for twice the current number of keys. When it is full, it is rebuilt.
    const bits = 2 ** Math.ceil(Math.log2(Math.max(MIN_BITS, hashes.length * 2 * BITS_PER_KEY)));
    this.#capacity = bits / BITS_PER_KEY;
    this.#keys = 0;
    this.#bits = new Uint32Array(bits / 32);
    for (const hash of [...hashes, ...changed]) this.#set(hash);
  }

  #add(hash: string): void {
    if (this.#loading) this.#changed.push(hash);
    if (!this.#bits) return;
    this.#set(hash);
    if (this.#keys > this.#capacity) this.#reset();
  }

  #set(hash: string): void {
    for (const position of positionsOf(hash, this.#bits!)) this.#bits![position >>> 5]! |= 1 << (position & 31);
    this.#keys++;
  }

  #isSet(position: number): boolean {
    return (this.#bits![position >>> 5]! & (1 << (position & 31))) !== 0;
  }

  #reset(): void {
    this.#bits = undefined;
    this.#changed = [];
  }
}

/** The hash is uniformly distributed, so its parts serve as positions. */
function positionsOf(hash: string, bits: Uint32Array): number[] {
  const mask = bits.length * 32 - 1;
  return Array.from(
    { length: HASHES_PER_KEY },
    (_, index) => Number.parseInt(hash.slice(index * 8, index * 8 + 8), 16) & mask,
  );
}

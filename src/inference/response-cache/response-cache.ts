import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Catalogue } from '../../catalogue/catalogue.js';
import { ModelAliases } from '../../catalogue/names/model-aliases.js';
import { Config } from '../../config/config.js';
import type { ServedCall } from './served-call.js';
import type { SharedCall } from './shared-call.js';

/** A response that later calls can reuse. */
export interface Reusable<Content> {
  readonly bytes: number;
  /** The response, rewritten with the id and the time of another call. `created`: Unix seconds. */
  contentFor(generationId: string, created: number): Content;
}

export interface CachedResponse<Content> {
  readonly served: ServedCall;
  readonly response: Reusable<Content>;
  /** On the clock of performance.now(). */
  readonly storedAt: number;
  readonly ttlMs: number;
}

/** Bytes that are added to the size of each response, for the key and the objects around it. */
const ENTRY_BYTES = 1_024;
/** A response larger than 1/MAX_SHARE of the cache is not stored. */
const MAX_SHARE = 4;

/**
 * Complete responses, and the running calls that will produce responses. RESPONSE_CACHE_BYTES limits the bytes of the
 * responses, and separately the bytes of the running calls. When the catalogue or an alias changes, the responses are
 * dropped and no request joins a running call, because the model name of a request may then refer to another model.
 */
@Injectable()
export class ResponseCache {
  readonly #maxBytes: number;
  readonly #responses: LRUCache<string, CachedResponse<unknown>> | undefined;
  readonly #calls = new Map<string, SharedCall>();
  #callBytes = 0;

  constructor({ values: { RESPONSE_CACHE_BYTES } }: Config, catalogue: Catalogue, aliases: ModelAliases) {
    this.#maxBytes = RESPONSE_CACHE_BYTES;
    if (RESPONSE_CACHE_BYTES > 0)
      this.#responses = new LRUCache<string, CachedResponse<unknown>>({
        maxSize: RESPONSE_CACHE_BYTES,
        maxEntrySize: this.maxEntryBytes,
        sizeCalculation: ({ response }) => response.bytes + ENTRY_BYTES,
      });
    catalogue.onSwap(() => this.#clear());
    aliases.onChange(() => this.#clear());
  }

  /** False if the operator switched the cache off. */
  get isOn(): boolean {
    return this.#responses !== undefined;
  }

  get maxEntryBytes(): number {
    return Math.ceil(this.#maxBytes / MAX_SHARE);
  }

  /**
   * A response that is younger than its own time to live and than `ttlMs`. The type of the content follows from the key
   * and is not checked.
   */
  find<Content>(key: string, ttlMs: number): CachedResponse<Content> | undefined {
    const cached = this.#responses?.get(key) as CachedResponse<Content> | undefined;
    if (!cached) return undefined;
    const ageMs = performance.now() - cached.storedAt;
    if (ageMs >= cached.ttlMs) this.#responses!.delete(key);
    return ageMs < Math.min(cached.ttlMs, ttlMs) ? cached : undefined;
  }

  /** The running call for equal requests. Its class follows from the key and is not checked. */
  callFor(key: string): SharedCall | undefined {
    return this.#calls.get(key);
  }

  /** From now on, equal requests join this call. */
  begin(key: string, call: SharedCall): void {
    this.#calls.set(key, call);
  }

  /** No more requests join the call. */
  end(key: string, call: SharedCall): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }

  /**
   * Stores the response of a call, and ends the call. Does nothing if the call is no longer the running call of the
   * key, because its response may be outdated.
   */
  store(key: string, call: SharedCall, cached: CachedResponse<unknown>): void {
    if (this.#calls.get(key) !== call) return;
    this.#calls.delete(key);
    this.#responses?.set(key, cached);
  }

  /** Counts bytes of a running call. Returns false and counts nothing if they would exceed the limit. */
  hold(bytes: number): boolean {
    if (this.#callBytes + bytes > this.#maxBytes) return false;
    this.#callBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#callBytes -= bytes;
  }

  #clear(): void {
    this.#responses?.clear();
    this.#calls.clear();
  }
}

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Catalogue } from '../../catalogue/catalogue.js';
import { ModelAliases } from '../../catalogue/names/model-aliases.js';
import { Config } from '../../config/config.js';
import type { ServedCall } from './served-call.js';
import type { SharedCall } from './shared-call.js';

/** A response that later calls reuse. */
export interface Reusable<Content> {
  readonly bytes: number;
  /** The response rewritten for another call, made at a time in Unix seconds. */
  contentFor(generationId: string, created: number): Content;
}

export interface CachedResponse<Content> {
  readonly served: ServedCall;
  readonly response: Reusable<Content>;
  /** Of performance.now(). */
  readonly storedAt: number;
  readonly ttlMs: number;
}

/** Counted for an entry beside its response: the key and the objects around it. */
const ENTRY_BYTES = 1_024;
/** The largest response that is kept, as a share of the cache. */
const MAX_SHARE = 4;

/**
 * Complete responses, and the calls under way that will make some. What they hold has the same bound each, in bytes.
 * All are dropped when the catalogue or an alias changes: the model of a request may be another one then, or none.
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

  /** False where the operator switched it off. */
  get isOn(): boolean {
    return this.#responses !== undefined;
  }

  get maxEntryBytes(): number {
    return Math.ceil(this.#maxBytes / MAX_SHARE);
  }

  /** A response that is younger than its own time to live and `ttlMs`. The type follows from the key. */
  find<Content>(key: string, ttlMs: number): CachedResponse<Content> | undefined {
    const cached = this.#responses?.get(key) as CachedResponse<Content> | undefined;
    if (!cached) return undefined;
    const ageMs = performance.now() - cached.storedAt;
    if (ageMs >= cached.ttlMs) this.#responses!.delete(key);
    return ageMs < Math.min(cached.ttlMs, ttlMs) ? cached : undefined;
  }

  /** The call under way for equal requests. Its class follows from the key. */
  callFor(key: string): SharedCall | undefined {
    return this.#calls.get(key);
  }

  /** Equal requests join this call from here on. */
  begin(key: string, call: SharedCall): void {
    this.#calls.set(key, call);
  }

  /** No more requests join the call. */
  end(key: string, call: SharedCall): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }

  /** Keeps the response of a call, and ends it. Not after its key was ended or cleared: it is outdated then. */
  store(key: string, call: SharedCall, cached: CachedResponse<unknown>): void {
    if (this.#calls.get(key) !== call) return;
    this.#calls.delete(key);
    this.#responses?.set(key, cached);
  }

  /** Counts bytes that a call under way holds; false where that is too much. */
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

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';

const TTL_MS = 600_000;
const MAX_SESSIONS = 50_000;

/**
 * The endpoint that served a model last in a session, for ten minutes after its last success: vendors keep the cache of
 * a conversation where it was written.
 */
@Injectable()
export class SessionEndpoints {
  readonly #last = new LRUCache<string, CatalogueEndpoint>({ max: MAX_SESSIONS, ttl: TTL_MS });

  /** `session`: unique among all workspaces. */
  endpointOf(session: string, model: string): CatalogueEndpoint | undefined {
    return this.#last.get(keyOf(session, model));
  }

  succeeded(session: string, model: string, endpoint: CatalogueEndpoint): void {
    this.#last.set(keyOf(session, model), endpoint);
  }

  failed(session: string, model: string, endpoint: CatalogueEndpoint): void {
    if (this.endpointOf(session, model) === endpoint) this.#last.delete(keyOf(session, model));
  }
}

const keyOf = (session: string, model: string): string => `${model}\0${session}`;

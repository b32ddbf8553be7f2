import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { atMostEntries } from '../../kernel/cache-options.js';

const TTL_MS = 600_000;
const MAX_SESSIONS = 50_000;

/** The endpoint and credential that served a session. */
interface ServedPlace {
  readonly endpoint: CatalogueEndpoint;
  /** The version of the platform's credential; undefined if no platform credential was used. */
  readonly channel: string | undefined;
}

/**
 * The endpoint and the credential that last served a model in a session, for ten minutes after the last success. A
 * vendor's prompt cache can be read only at the endpoint and with the credential that wrote it.
 */
@Injectable()
export class SessionEndpoints {
  readonly #last = new LRUCache<string, ServedPlace>({ ...atMostEntries(MAX_SESSIONS), ttl: TTL_MS });

  /** `session`: unique across all workspaces. */
  lastServed(session: string, model: string): ServedPlace | undefined {
    return this.#last.get(keyOf(session, model));
  }

  succeeded(session: string, model: string, place: ServedPlace): void {
    this.#last.set(keyOf(session, model), place);
  }

  failed(session: string, model: string, endpoint: CatalogueEndpoint): void {
    if (this.lastServed(session, model)?.endpoint === endpoint) this.#last.delete(keyOf(session, model));
  }
}

const keyOf = (session: string, model: string): string => `${model}\0${session}`;

import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../catalogue/catalogue.js';
import { ResponseCache } from '../../text-edge/response-cache.js';
import { CachedResponse } from '../../http/reply/cached-response.js';
import { toProviderRecord } from './providers.wire.js';

/** The operations of the group, in the order of the API. */
@Injectable()
export class ProvidersService {
  readonly #responses = new ResponseCache();

  constructor(private readonly catalogue: Catalogue) {
    catalogue.onSwap(() => this.#responses.clear());
  }

  list(): CachedResponse {
    return this.#responses.of('list', () =>
      CachedResponse.json(JSON.stringify({ data: this.catalogue.providers().map(toProviderRecord) })),
    );
  }
}

import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../catalogue/catalogue.js';
import { BodyCache } from '../../http/reply/body-cache.js';
import { PreparedBody } from '../../http/reply/prepared-body.js';
import { toProviderRecord } from './providers.wire.js';

@Injectable()
export class ProvidersService {
  readonly #responses = new BodyCache();

  constructor(private readonly catalogue: Catalogue) {
    catalogue.onSwap(() => this.#responses.clear());
  }

  list(): PreparedBody {
    return this.#responses.of('list', () =>
      PreparedBody.json(JSON.stringify({ data: this.catalogue.providers().map(toProviderRecord) })),
    );
  }
}

import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../catalogue/catalogue.js';
import { AnswerCache } from '../../http/answer-cache.js';
import { PreparedAnswer } from '../../http/prepared-answer.js';
import { toProviderRecord } from './providers.wire.js';

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class ProvidersService {
  readonly #answers = new AnswerCache();

  constructor(private readonly catalogue: Catalogue) {
    catalogue.onSwap(() => this.#answers.clear());
  }

  list(): PreparedAnswer {
    return this.#answers.of('list', () =>
      PreparedAnswer.json(JSON.stringify({ data: this.catalogue.providers().map(toProviderRecord) })),
    );
  }
}

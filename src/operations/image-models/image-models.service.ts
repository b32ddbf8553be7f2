import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../catalogue/catalogue.js';
import type { CatalogueModel } from '../../catalogue/catalogue-model.js';
import { AnswerCache } from '../../http/answer-cache.js';
import { PreparedAnswer } from '../../http/prepared-answer.js';
import { notFound } from '../../kernel/errors.js';
import { toImageModel, toImageModelEndpoints } from './image-models.wire.js';

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class ImageModelsService {
  readonly #answers = new AnswerCache();

  constructor(private readonly catalogue: Catalogue) {
    catalogue.onSwap(() => this.#answers.clear());
  }

  list(): PreparedAnswer {
    return this.#answers.of('list', () =>
      PreparedAnswer.json(JSON.stringify({ data: this.catalogue.all().filter(givesImages).map(toImageModel) })),
    );
  }

  endpoints(id: string): PreparedAnswer {
    const model = this.catalogue.find(id);
    if (!model || !givesImages(model))
      throw notFound(`"${id.slice(0, 200)}" is no image model of this service. GET /images/models lists them.`);
    return this.#answers.of(id, () => PreparedAnswer.json(JSON.stringify(toImageModelEndpoints(model))));
  }
}

const givesImages = (model: CatalogueModel): boolean => model.outputModalities.includes('image');

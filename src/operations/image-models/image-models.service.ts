import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../catalogue/catalogue.js';
import type { CatalogueModel } from '../../catalogue/catalogue-model.js';
import { BodyCache } from '../../http/reply/body-cache.js';
import { PreparedBody } from '../../http/reply/prepared-body.js';
import { ModelNames } from '../../inference/model-names.js';
import { notFound } from '../../kernel/errors/errors.js';
import { toImageModel, toImageModelEndpoints } from './image-models.wire.js';

/** Implements the operations of this API group, in the order of the specification. */
@Injectable()
export class ImageModelsService {
  readonly #responses = new BodyCache();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly names: ModelNames,
  ) {
    catalogue.onSwap(() => this.#responses.clear());
  }

  list(): PreparedBody {
    return this.#responses.of('list', () =>
      PreparedBody.json(JSON.stringify({ data: this.catalogue.all().filter(generatesImages).map(toImageModel) })),
    );
  }

  /** `name`: any name that calls accept. */
  endpoints(name: string): PreparedBody {
    const model = this.names.find(name, { capability: 'image' });
    if (!generatesImages(model))
      throw notFound(`"${name.slice(0, 200)}" is not an image model of this service. GET /images/models lists them.`);
    return this.#responses.of(model.id, () => PreparedBody.json(JSON.stringify(toImageModelEndpoints(model))));
  }
}

const generatesImages = (model: CatalogueModel): boolean => model.outputModalities.includes('image');

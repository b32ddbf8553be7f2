import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../catalogue/catalogue.js';
import type { CatalogueModel } from '../../catalogue/catalogue-model.js';

/** The use cases of the group, in the order in which the API lists them. */
@Injectable()
export class ModelsService {
  constructor(private readonly catalogue: Catalogue) {}

  list(): readonly CatalogueModel[] {
    return this.catalogue.all();
  }
}

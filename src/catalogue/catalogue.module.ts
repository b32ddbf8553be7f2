import { Module } from '@nestjs/common';
import { BenchmarkImports } from './benchmark-imports.js';
import { Catalogue } from './catalogue.js';
import { CatalogueImports } from './catalogue-imports.js';
import { CatalogueLoader } from './store/catalogue-loader.js';
import { ModelAliases } from './names/model-aliases.js';
import { OwnProviders } from './own-providers.js';
import { CatalogueStore } from './store/catalogue-store.js';

/** Models, endpoints, providers, prices, benchmarks. */
@Module({
  providers: [
    BenchmarkImports,
    Catalogue,
    CatalogueImports,
    CatalogueLoader,
    CatalogueStore,
    ModelAliases,
    OwnProviders,
  ],
  exports: [BenchmarkImports, Catalogue, CatalogueImports, ModelAliases, OwnProviders],
})
export class CatalogueModule {}

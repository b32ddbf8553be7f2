import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { BenchmarksController } from './benchmarks.controller.js';
import { BenchmarksService } from './benchmarks.service.js';

/** Lets a caller list published benchmark scores of models. */
@Module({ imports: [CatalogueModule], controllers: [BenchmarksController], providers: [BenchmarksService] })
export class BenchmarksModule {}

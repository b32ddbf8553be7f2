import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { ModelsController } from './models.controller.js';
import { ModelsService } from './models.service.js';

/** Lets a caller list the models of the catalogue. */
@Module({ imports: [CatalogueModule], controllers: [ModelsController], providers: [ModelsService] })
export class ModelsModule {}

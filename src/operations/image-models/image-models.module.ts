import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { ImageModelsController } from './image-models.controller.js';
import { ImageModelsService } from './image-models.service.js';

/** Lets a caller list the models that generate images, their providers and their prices. */
@Module({ imports: [CatalogueModule], controllers: [ImageModelsController], providers: [ImageModelsService] })
export class ImageModelsModule {}

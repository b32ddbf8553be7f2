import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { ImageModelsController } from './image-models.controller.js';
import { ImageModelsService } from './image-models.service.js';

/** Lets a caller see which models generate images, who serves them, and for what. */
@Module({ imports: [CatalogueModule], controllers: [ImageModelsController], providers: [ImageModelsService] })
export class ImageModelsModule {}

import { Module } from '@nestjs/common';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { ProvidersController } from './providers.controller.js';
import { ProvidersService } from './providers.service.js';

/** Lets a caller list the providers of the catalogue. */
@Module({ imports: [CatalogueModule], controllers: [ProvidersController], providers: [ProvidersService] })
export class ProvidersModule {}

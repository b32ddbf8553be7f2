import { Module } from '@nestjs/common';
import { Catalogue } from './catalogue.js';

/** Models, endpoints, providers, prices. */
@Module({ providers: [Catalogue], exports: [Catalogue] })
export class CatalogueModule {}

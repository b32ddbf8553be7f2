import { Module } from '@nestjs/common';
import { RerankController } from './rerank.controller.js';

/** Lets a caller rank documents by their relevance to a query. */
@Module({ controllers: [RerankController] })
export class RerankModule {}

import { Module } from '@nestjs/common';
import { RerankController } from './rerank.controller.js';
import { RerankService } from './rerank.service.js';

/** Lets a caller rank documents by their relevance to a query. */
@Module({ controllers: [RerankController], providers: [RerankService] })
export class RerankModule {}

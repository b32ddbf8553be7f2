import { Module } from '@nestjs/common';
import { EmbeddingsController } from './embeddings.controller.js';
import { EmbeddingsService } from './embeddings.service.js';

/** Lets a caller convert text to vectors. */
@Module({ controllers: [EmbeddingsController], providers: [EmbeddingsService] })
export class EmbeddingsModule {}

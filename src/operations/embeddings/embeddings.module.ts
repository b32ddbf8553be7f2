import { Module } from '@nestjs/common';
import { EmbeddingsController } from './embeddings.controller.js';

/** Lets a caller convert text to vectors. */
@Module({ controllers: [EmbeddingsController] })
export class EmbeddingsModule {}

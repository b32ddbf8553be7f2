import { Module } from '@nestjs/common';
import { CompletionsController } from './completions.controller.js';
import { CompletionsService } from './completions.service.js';

/** Lets a caller have texts continued. */
@Module({ controllers: [CompletionsController], providers: [CompletionsService] })
export class CompletionsModule {}

import { Module } from '@nestjs/common';
import { TextEndpoint } from '../../text-edge/text-endpoint.js';
import { CompletionsController } from './completions.controller.js';

/** Lets a caller generate the continuation of a text. */
@Module({ controllers: [CompletionsController], providers: [TextEndpoint] })
export class CompletionsModule {}

import { Module } from '@nestjs/common';
import { ResponsesController } from './responses.controller.js';
import { ResponsesService } from './responses.service.js';

/** Lets a caller converse with a text model in the format of items, of which nothing is stored. */
@Module({ controllers: [ResponsesController], providers: [ResponsesService] })
export class ResponsesModule {}

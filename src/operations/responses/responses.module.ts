import { Module } from '@nestjs/common';
import { TextEndpoint } from '../../text-edge/text-endpoint.js';
import { ResponsesController } from './responses.controller.js';

/** Lets a caller chat with a text model in the format of `/responses`. Nothing is stored. */
@Module({ controllers: [ResponsesController], providers: [TextEndpoint] })
export class ResponsesModule {}

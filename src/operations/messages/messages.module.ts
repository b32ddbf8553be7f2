import { Module } from '@nestjs/common';
import { TextEndpoint } from '../../text-edge/text-endpoint.js';
import { MessagesController } from './messages.controller.js';

/** Lets a caller chat with a text model in the format of `/messages`, and count the tokens of such a request. */
@Module({ controllers: [MessagesController], providers: [TextEndpoint] })
export class MessagesModule {}

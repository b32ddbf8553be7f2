import { Module } from '@nestjs/common';
import { MessagesController } from './messages.controller.js';
import { MessagesService } from './messages.service.js';

/** Lets a caller converse with a text model in the format of `/messages`, and count the tokens of such a request. */
@Module({ controllers: [MessagesController], providers: [MessagesService] })
export class MessagesModule {}

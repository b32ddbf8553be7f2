import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { FilesModule } from '../../files/files.module.js';
import { TextEndpoint } from '../../text-edge/text-endpoint.js';
import { AttachedFiles } from './attached-files.js';
import { ChatController } from './chat.controller.js';

/** Lets a caller chat with a text model. */
@Module({
  imports: [AuditModule, FilesModule],
  controllers: [ChatController],
  providers: [AttachedFiles, TextEndpoint],
})
export class ChatModule {}

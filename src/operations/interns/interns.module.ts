import { Module } from '@nestjs/common';
import { InternsModule } from '../../interns/interns.module.js';
import { InternChatController } from './intern-chat.controller.js';
import { InternChatService } from './intern-chat.service.js';
import { InternRelay } from './intern-relay.js';
import { InternSettingsController } from './intern-settings.controller.js';
import { InternsController } from './interns.controller.js';
import { InternsService } from './interns.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';

/** Lets members of the interns programme create and control interns, and chat with them. */
@Module({
  imports: [InternsModule],
  controllers: [InternsController, InternChatController, InternSettingsController, SessionsController],
  providers: [InternChatService, InternRelay, InternsService, SessionsService],
})
export class InternOperationsModule {}

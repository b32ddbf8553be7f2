import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/identity.module.js';
import { ConsoleIdentitiesController } from './console-identities.controller.js';
import { ConsoleIdentitiesService } from './console-identities.service.js';

/** Lets a signed-in user list, link and remove their identities at identity providers. */
@Module({
  imports: [IdentityModule],
  controllers: [ConsoleIdentitiesController],
  providers: [ConsoleIdentitiesService],
})
export class ConsoleIdentitiesModule {}

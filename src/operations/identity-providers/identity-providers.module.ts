import { Module } from '@nestjs/common';
import { IdentityModule } from '../../identity/identity.module.js';
import { IdentityProvidersController } from './identity-providers.controller.js';
import { IdentityProvidersService } from './identity-providers.service.js';

/** Lists the identity providers for the sign-in page, and shows administrators their configuration. */
@Module({
  imports: [IdentityModule],
  controllers: [IdentityProvidersController],
  providers: [IdentityProvidersService],
})
export class IdentityProvidersModule {}

import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { GateModule } from '../../auth/gate.module.js';
import { IdentityModule } from '../../identity/identity.module.js';
import { MembershipsModule } from '../../members/memberships.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { ConsoleOidcController } from './console-oidc.controller.js';
import { ConsoleOidcService } from './console-oidc.service.js';

/** Lets a person sign in to the console through an identity provider, and lets the provider end the session. */
@Module({
  imports: [AuthModule, GateModule, IdentityModule, MembershipsModule, SessionsModule],
  controllers: [ConsoleOidcController],
  providers: [ConsoleOidcService],
})
export class ConsoleOidcModule {}

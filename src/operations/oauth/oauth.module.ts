import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../../applications/applications.module.js';
import { GateModule } from '../../auth/gate.module.js';
import { PublicAddress } from '../../http/edge/service-address.js';
import { AuthKeysController } from './auth-keys.controller.js';
import { OAuthController } from './oauth.controller.js';
import { OAuthService } from './oauth.service.js';

/** Lets an application get a key from a member who approves it, and lets a workload get a token that acts as a key. */
@Module({
  imports: [ApplicationsModule, GateModule],
  controllers: [AuthKeysController, OAuthController],
  providers: [OAuthService, PublicAddress],
})
export class OAuthModule {}

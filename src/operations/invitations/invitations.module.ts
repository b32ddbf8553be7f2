import { Module } from '@nestjs/common';
import { PublicAddress } from '../../http/edge/service-address.js';
import { MembershipsModule } from '../../members/memberships.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsService } from './invitations.service.js';

/** Lets owners and admins invite people to the account by a link. */
@Module({
  imports: [MembershipsModule, TenancyModule],
  controllers: [InvitationsController],
  providers: [InvitationsService, PublicAddress],
})
export class InvitationsModule {}

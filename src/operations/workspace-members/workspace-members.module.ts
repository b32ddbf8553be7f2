import { Module } from '@nestjs/common';
import { MembershipsModule } from '../../members/memberships.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { WorkspaceMembersController } from './workspace-members.controller.js';
import { WorkspaceMembersService } from './workspace-members.service.js';

/** Lets members of a workspace list its members, and lets its admins add, change and remove members. */
@Module({
  imports: [MembershipsModule, TenancyModule],
  controllers: [WorkspaceMembersController],
  providers: [WorkspaceMembersService],
})
export class WorkspaceMembersModule {}

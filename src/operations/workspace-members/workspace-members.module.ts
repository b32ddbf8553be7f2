import { Module } from '@nestjs/common';
import { MembershipsModule } from '../../members/memberships.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { WorkspaceMembersController } from './workspace-members.controller.js';
import { WorkspaceMembersService } from './workspace-members.service.js';

/** Lets members list the members of a workspace, and lets its admins change them. */
@Module({
  imports: [MembershipsModule, TenancyModule],
  controllers: [WorkspaceMembersController],
  providers: [WorkspaceMembersService],
})
export class WorkspaceMembersModule {}

import { Module } from '@nestjs/common';
import { MembershipsModule } from '../../members/memberships.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { WorkspaceMembersController } from './workspace-members.controller.js';
import { WorkspaceMembersService } from './workspace-members.service.js';

/** Lets members see who is in a workspace, and its admins change it. */
@Module({
  imports: [MembershipsModule, TenancyModule],
  controllers: [WorkspaceMembersController],
  providers: [WorkspaceMembersService],
})
export class WorkspaceMembersModule {}

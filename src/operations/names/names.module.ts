import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { InternsModule } from '../../interns/interns.module.js';
import { MembershipsModule } from '../../members/memberships.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { NamesController } from './names.controller.js';
import { NamesService } from './names.service.js';

/** Lets a caller look up the names of keys, members, workspaces and interns by id, and search by name. */
@Module({
  imports: [AuthModule, InternsModule, MembershipsModule, TenancyModule],
  controllers: [NamesController],
  providers: [NamesService],
})
export class NamesModule {}

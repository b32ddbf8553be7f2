import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { InternsModule } from '../../interns/interns.module.js';
import { MembershipsModule } from '../../members/memberships.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { NamesController } from './names.controller.js';
import { NamesService } from './names.service.js';

/** Lets a caller turn the ids of keys, members, workspaces and interns into names, and find them by their names. */
@Module({
  imports: [AuthModule, InternsModule, MembershipsModule, TenancyModule],
  controllers: [NamesController],
  providers: [NamesService],
})
export class NamesModule {}

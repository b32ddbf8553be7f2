import { Module } from '@nestjs/common';
import { MembershipsModule } from '../../members/memberships.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';

/** Lets a member see who belongs to the account, and owners and admins change it. */
@Module({ imports: [MembershipsModule, TenancyModule], controllers: [MembersController], providers: [MembersService] })
export class MembersModule {}

import { Module } from '@nestjs/common';
import { MembershipsModule } from '../../members/memberships.module.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';

/** Lets a member list the members of the account, and lets owners and admins change roles and end memberships. */
@Module({ imports: [MembershipsModule], controllers: [MembersController], providers: [MembersService] })
export class MembersModule {}

import { Module } from '@nestjs/common';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';

/** Lets a management key list the users of its account. */
@Module({ imports: [TenancyModule], controllers: [MembersController], providers: [MembersService] })
export class MembersModule {}

import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { EndUsersController } from './end-users.controller.js';
import { EndUsersService } from './end-users.service.js';

/** Lets a management key register end users. */
@Module({ imports: [AuditModule, TenancyModule], controllers: [EndUsersController], providers: [EndUsersService] })
export class EndUsersModule {}

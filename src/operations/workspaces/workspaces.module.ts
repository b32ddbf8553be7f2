import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesService } from './workspaces.service.js';

/** Lets a management key divide its account into workspaces. */
@Module({ imports: [AuditModule, TenancyModule], controllers: [WorkspacesController], providers: [WorkspacesService] })
export class WorkspacesModule {}

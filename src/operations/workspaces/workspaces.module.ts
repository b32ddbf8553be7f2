import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { WorkspacesController } from './workspaces.controller.js';
import { WorkspacesService } from './workspaces.service.js';

/** Lets a management key manage the workspaces of its account. */
@Module({ imports: [AuditModule, TenancyModule], controllers: [WorkspacesController], providers: [WorkspacesService] })
export class WorkspacesModule {}

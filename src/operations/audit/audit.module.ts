import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';

/** Lets a management key list the actions in its account. */
@Module({ imports: [AuditModule], controllers: [AuditController], providers: [AuditService] })
export class AuditOperationsModule {}

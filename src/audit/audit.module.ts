import { Module } from '@nestjs/common';
import { AuditTrail } from './audit-trail.js';

/** Who did what, when, from where. */
@Module({ providers: [AuditTrail], exports: [AuditTrail] })
export class AuditModule {}

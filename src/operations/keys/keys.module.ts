import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { BillingModule } from '../../billing/billing.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { KeysController } from './keys.controller.js';
import { KeysService } from './keys.service.js';

/** Lets a management key create and read API keys. */
@Module({ imports: [AuditModule, AuthModule, BillingModule, TenancyModule], controllers: [KeysController], providers: [KeysService] })
export class KeysModule {}

import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { BillingModule } from '../../billing/billing.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { CurrentKeyController } from './current-key.controller.js';
import { KeysController } from './keys.controller.js';
import { KeysService } from './keys.service.js';

/** Lets a management key list, create, read, change and delete API keys, and any key read its own record. */
@Module({
  imports: [AuditModule, AuthModule, BillingModule, TenancyModule],
  controllers: [CurrentKeyController, KeysController],
  providers: [KeysService],
})
export class KeysModule {}

import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { FirstStart } from './first-start.js';

/** Creates the first account and keys on the first start. */
@Module({
  imports: [AuthModule, BillingModule, SessionsModule, TenancyModule],
  providers: [FirstStart],
  exports: [FirstStart],
})
export class FirstStartModule {}

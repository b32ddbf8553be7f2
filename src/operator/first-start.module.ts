import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { FirstStart } from './first-start.js';

/** What the service does once in its life: its first account and keys. */
@Module({ imports: [AuthModule, BillingModule, TenancyModule], providers: [FirstStart], exports: [FirstStart] })
export class FirstStartModule {}

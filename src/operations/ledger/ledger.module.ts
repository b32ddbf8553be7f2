import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { BillingModule } from '../../billing/billing.module.js';
import { LedgerController } from './ledger.controller.js';
import { LedgerService } from './ledger.service.js';

/** Lets a management key list the entries of its account's ledger. */
@Module({ imports: [AuthModule, BillingModule], controllers: [LedgerController], providers: [LedgerService] })
export class LedgerModule {}

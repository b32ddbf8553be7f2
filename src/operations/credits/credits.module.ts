import { Module } from '@nestjs/common';
import { BillingModule } from '../../billing/billing.module.js';
import { CreditsController } from './credits.controller.js';

/** Lets a management key read how many credits its account received and spent. */
@Module({ imports: [BillingModule], controllers: [CreditsController] })
export class CreditsModule {}

import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { BillingModule } from '../billing/billing.module.js';
import { PostedCallsGuard } from './posted-calls.guard.js';

/** A global guard. It must be imported after the guards that resolve the key. */
@Module({ imports: [BillingModule], providers: [{ provide: APP_GUARD, useClass: PostedCallsGuard }] })
export class PostedCallsModule {}

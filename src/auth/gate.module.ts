import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { AccessGuard } from './keys/access.guard.js';
import { AuthModule } from './auth.module.js';
import { FailedKeys } from './failed-keys.js';
import { PresentedKeys } from './keys/presented-keys.js';
import { RateLimitGuard } from './rate-limits/rate-limit.guard.js';
import { SignInLimit } from './sign-in-limit.js';

/** The global guards, in order: the first resolves the key and checks access, the second applies rate limits. */
@Module({
  imports: [AuthModule, RateLimitsModule],
  providers: [
    FailedKeys,
    PresentedKeys,
    SignInLimit,
    { provide: APP_GUARD, useClass: AccessGuard },
    { provide: APP_GUARD, useClass: RateLimitGuard },
  ],
  exports: [FailedKeys, RateLimitsModule, SignInLimit],
})
export class GateModule {}

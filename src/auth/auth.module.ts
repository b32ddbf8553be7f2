import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { ApiKeys } from './api-keys.js';
import { KeyDirectory } from './key-directory.js';

/** Header → principal, and who may call what. The guard is global. */
@Module({
  providers: [ApiKeys, KeyDirectory, { provide: APP_GUARD, useClass: AccessGuard }],
  exports: [ApiKeys, KeyDirectory],
})
export class AuthModule {}

import { Module } from '@nestjs/common';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { ApiKeys } from './api-keys.js';
import { InternKeys } from './intern-keys.js';
import { KeyDirectory } from './key-directory.js';
import { KeyUses } from './key-uses.js';

/** Keys: who holds one, what it may do, when it was last used. */
@Module({
  imports: [TenancyModule],
  providers: [ApiKeys, InternKeys, KeyDirectory, KeyUses],
  exports: [ApiKeys, InternKeys, KeyDirectory, KeyUses],
})
export class AuthModule {}

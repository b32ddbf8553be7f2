import { Module } from '@nestjs/common';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { rowsOfTable, WorkspaceContents } from '../tenancy/workspace-contents.js';
import { ApiKeys } from './api-keys.js';
import { ConsoleKeys } from './console-keys.js';
import { IssuedKeys } from './keys/issued-keys.js';
import { InternKeys } from './intern-keys.js';
import { KeyAliases } from './keys/key-aliases.js';
import { KeyNames } from './key-names.js';
import { KeyDirectory } from './key-directory.js';
import { KeyRotation } from './key-rotation.js';
import { KeyUses } from './key-uses.js';
import { MemberKeys } from './member-keys.js';

/** API keys: creation, lookup, rotation, names and last uses. */
@Module({
  imports: [TenancyModule],
  providers: [
    ApiKeys,
    ConsoleKeys,
    InternKeys,
    IssuedKeys,
    KeyAliases,
    KeyDirectory,
    KeyNames,
    KeyRotation,
    KeyUses,
    MemberKeys,
  ],
  exports: [ApiKeys, ConsoleKeys, InternKeys, IssuedKeys, KeyDirectory, KeyNames, KeyRotation, KeyUses, MemberKeys],
})
export class AuthModule {
  constructor(contents: WorkspaceContents) {
    contents.register('keys', rowsOfTable('api_key', 'deleted_at is null'));
  }
}

import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { EffectiveSecrets } from './effective-secrets.js';
import { VaultSecrets } from './vault-secrets.js';
import { Vaults } from './vaults.js';

/** Host-bound secrets of interns and workspaces. */
@Module({
  imports: [AuditModule, SecretsModule],
  providers: [EffectiveSecrets, Vaults, VaultSecrets],
  exports: [EffectiveSecrets, Vaults, VaultSecrets],
})
export class VaultsModule {}

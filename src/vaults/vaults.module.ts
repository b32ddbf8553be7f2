import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { EffectiveSecrets } from './effective-secrets.js';
import { MaskableSecrets } from './maskable-secrets.js';
import { PreviousValues } from './previous-values.js';
import { ReachableHosts } from './reachable-hosts.js';
import { VaultSecrets } from './vault-secrets.js';
import { Vaults } from './vaults.js';

/** Host-bound secrets of interns and workspaces. */
@Module({
  imports: [AuditModule, SecretsModule],
  providers: [EffectiveSecrets, MaskableSecrets, PreviousValues, ReachableHosts, Vaults, VaultSecrets],
  exports: [EffectiveSecrets, MaskableSecrets, ReachableHosts, Vaults, VaultSecrets],
})
export class VaultsModule {}

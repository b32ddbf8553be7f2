import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CredentialDirectory } from './credential-directory.js';
import { DataKeys } from './envelope/data-keys.js';
import { KeyRing } from './envelope/key-ring.js';
import { MasterKeyRotation } from './master-key-rotation.js';
import { ProviderCredentials } from './provider-credentials.js';
import { Replicas } from './replicas.js';
import { SecretBox } from './secret-box.js';

/** Seals and opens secrets, and stores callers' own provider credentials. */
@Module({
  imports: [AuditModule],
  providers: [KeyRing, DataKeys, SecretBox, ProviderCredentials, CredentialDirectory, MasterKeyRotation, Replicas],
  exports: [KeyRing, Replicas, SecretBox, ProviderCredentials, CredentialDirectory, MasterKeyRotation],
})
export class SecretsModule {}

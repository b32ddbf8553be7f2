import { Global, Module } from '@nestjs/common';
import { AccessTokens } from '../auth/access-tokens.port.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { FederatedTokens } from './federated-tokens.js';
import { SigningKeys } from './signing-keys.js';

/** Access tokens, for the guard of each process. */
@Global()
@Module({
  imports: [SecretsModule],
  providers: [FederatedTokens, SigningKeys, { provide: AccessTokens, useExisting: FederatedTokens }],
  exports: [AccessTokens, FederatedTokens, SigningKeys],
})
export class AccessTokensModule {}

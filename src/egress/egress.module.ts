import { Module } from '@nestjs/common';
import { SecretsModule } from '../secrets/secrets.module.js';
import { VaultsModule } from '../vaults/vaults.module.js';
import { CertificateAuthority } from './certificate-authority.js';
import { EgressPasses } from './egress-passes.js';
import { EgressProxy } from './egress-proxy.js';
import { Interception } from './interception.js';
import { Network } from './network.js';
import { PlainForwarding } from './plain-forwarding.js';
import { SecretFilling } from './secret-filling.js';
import { SecureForwarding } from './secure-forwarding.js';
import { Upstream } from './upstream.js';

/** The proxy through which interns reach the network. */
@Module({
  imports: [SecretsModule, VaultsModule],
  providers: [
    CertificateAuthority,
    EgressPasses,
    EgressProxy,
    Interception,
    Network,
    PlainForwarding,
    SecretFilling,
    SecureForwarding,
    Upstream,
  ],
  exports: [EgressPasses, EgressProxy],
})
export class EgressModule {}

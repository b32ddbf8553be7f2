import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { Metrics } from '../telemetry/metrics.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { VaultsModule } from '../vaults/vaults.module.js';
import { CertificateAuthority } from './tunnels/certificate-authority.js';
import { EGRESS_REFUSALS, EGRESS_RELEASES } from './egress-cells.js';
import { EgressPasses } from './egress-passes.js';
import { EgressProxy } from './egress-proxy.js';
import { HostAccess } from './host-access.js';
import { Interception } from './tunnels/interception.js';
import { LiveResponses } from './live-responses.js';
import { Network } from './network.js';
import { PassedTunnels } from './tunnels/passed-tunnels.js';
import { PlainForwarding } from './forwarding/plain-forwarding.js';
import { RefusalAudit } from './refusal-audit.js';
import { ResponseMasks } from './response-masks.js';
import { SecretFilling } from './secret-filling.js';
import { SecureForwarding } from './forwarding/secure-forwarding.js';
import { ServiceHost } from './service-host.js';
import { Tunnels } from './tunnels/tunnels.js';
import { Upstream } from './forwarding/upstream.js';

/** The proxy through which interns reach the network. */
@Module({
  imports: [AuditModule, SecretsModule, TelemetryModule, VaultsModule],
  providers: [
    CertificateAuthority,
    EgressPasses,
    EgressProxy,
    HostAccess,
    Interception,
    LiveResponses,
    Network,
    PassedTunnels,
    PlainForwarding,
    RefusalAudit,
    ResponseMasks,
    SecretFilling,
    SecureForwarding,
    ServiceHost,
    Tunnels,
    Upstream,
  ],
  exports: [EgressPasses, EgressProxy],
})
export class EgressModule {
  constructor(metrics: Metrics) {
    metrics.add('egress', () => [EGRESS_RELEASES.family(), EGRESS_REFUSALS.family()]);
  }
}

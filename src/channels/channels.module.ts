import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { RateLimitsModule } from '../rate-limits/rate-limits.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { ChannelCaps } from './channel-caps.js';
import { ChannelDirectory } from './channel-directory.js';
import { ChannelHealth } from './channel-health.js';
import { ChannelStates } from './channel-states.js';
import { CredentialRests } from './credential-rests.js';
import { LastingStates } from './lasting-states.js';
import { PlatformCredentials } from './platform-credentials.js';
import { RestNotices } from './rest-notices.js';

const PROVIDERS = [
  ChannelCaps,
  ChannelDirectory,
  ChannelHealth,
  ChannelStates,
  CredentialRests,
  LastingStates,
  PlatformCredentials,
  RestNotices,
];

/** The platform's credentials, with their limits, rests and states. */
@Module({
  imports: [AuditModule, RateLimitsModule, SecretsModule, TelemetryModule, TenancyModule],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class ChannelsModule {}

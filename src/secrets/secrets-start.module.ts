import { Module } from '@nestjs/common';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { MasterKeyStart } from './master-key-start.js';
import { ReplicaAnnouncer } from './replica-announcer.js';
import { SecretsModule } from './secrets.module.js';

/** What only a service does with its master key: settle it at the start, and announce it; operator commands do not. */
@Module({
  imports: [SecretsModule, TelemetryModule],
  providers: [MasterKeyStart, ReplicaAnnouncer],
  exports: [MasterKeyStart, ReplicaAnnouncer],
})
export class SecretsStartModule {}

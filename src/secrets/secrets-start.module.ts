import { Module } from '@nestjs/common';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { MasterKeyStart } from './master-key-start.js';
import { ReplicaAnnouncer } from './replica-announcer.js';
import { SecretsModule } from './secrets.module.js';

/** Checks the master key when a service starts, and announces it to other replicas. Operator commands do neither. */
@Module({
  imports: [SecretsModule, TelemetryModule],
  providers: [MasterKeyStart, ReplicaAnnouncer],
  exports: [MasterKeyStart, ReplicaAnnouncer],
})
export class SecretsStartModule {}

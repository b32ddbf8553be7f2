import { Module } from '@nestjs/common';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { MasterKeyStart } from './master-key-start.js';
import { ReplicaAnnouncer } from './replica-announcer.js';
import { SecretsModule } from './secrets.module.js';

/**
 * The tasks of a service with its master key that operator commands do not need: choosing it at the start, and
 * announcing it.
 */
@Module({
  imports: [SecretsModule, TelemetryModule],
  providers: [MasterKeyStart, ReplicaAnnouncer],
  exports: [MasterKeyStart, ReplicaAnnouncer],
})
export class SecretsStartModule {}

import { Injectable } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { mergedEndpoints, type MergedEndpoint, type ReportedEndpoint } from '../../inference/merged-health.js';
import { ProcessesHealth, type ServiceProcess } from '../../inference/process-health.js';
import { ReplicaAnnouncer } from '../../secrets/replica-announcer.js';
import { AnalyticsCopy, type AnalyticsCopyState } from '../../usage/analytics-copy.js';
import { HealthChecks, type HealthCheck } from './health-checks.js';
import { StoredHealthReader, type StoredHealth } from './stored-health.js';

/** The health of this replica. */
export interface ReplicaHealth extends StoredHealth {
  readonly replicaId: string;
  readonly processes: readonly ServiceProcess[];
  readonly checks: readonly HealthCheck[];
  readonly analytics: AnalyticsCopyState;
  readonly endpoints: readonly MergedEndpoint[];
}

/** Collects the health of the processes of this replica, and of their dependencies. */
@Injectable()
export class HealthService {
  constructor(
    private readonly processes: ProcessesHealth,
    private readonly stored: StoredHealthReader,
    private readonly checks: HealthChecks,
    private readonly copy: AnalyticsCopy,
    private readonly announcer: ReplicaAnnouncer,
    private readonly config: Config,
  ) {}

  async read(): Promise<ReplicaHealth> {
    const [stored, checks, processes, analytics] = await Promise.all([
      this.stored.read(),
      this.checks.run(),
      this.processes.all(),
      this.copy.state(),
    ]);
    const endpoints = processes.flatMap(({ health }): readonly ReportedEndpoint[] => health?.endpoints ?? []);
    return {
      ...stored,
      replicaId: this.announcer.id,
      checks,
      processes,
      analytics,
      endpoints: mergedEndpoints(endpoints, this.config.values.BREAKER_PAUSE_MS),
    };
  }
}

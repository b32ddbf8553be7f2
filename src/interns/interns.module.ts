import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { EgressModule } from '../egress/egress.module.js';
import { RuntimesModule } from '../runtimes/runtimes.module.js';
import { TelemetryModule } from '../telemetry/telemetry.module.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { rowsOfTable, WorkspaceContents } from '../tenancy/workspace-contents.js';
import { VaultsModule } from '../vaults/vaults.module.js';
import { CreationClaims } from './creation-claims.js';
import { InternHandOver } from './hand-over.js';
import { InternAdmission } from './intern-admission.js';
import { CreationWitness, InternCreation } from './intern-creation.js';
import { InternMetrics } from './intern-metrics.js';
import { InternNames } from './intern-names.js';
import { InternRows } from './intern-rows.js';
import { InternSessions } from './intern-sessions.js';
import { InternSettingsRows } from './intern-settings.js';
import { InternTurns } from './intern-turns.js';
import { Interns } from './interns.js';
import { Programme } from './programme.js';
import { ReplicaRelay } from './replica-relay.driver.js';
import { RuntimeFinder } from './turns/runtime-finder.js';
import { BootInputs } from './work/boot-inputs.js';
import { Boot } from './work/boot.js';
import { Endings } from './work/endings.js';
import { HeldInterns } from './work/held-interns.js';
import { InternWork } from './work/intern-work.js';
import { OrphanedInterns } from './work/orphaned-interns.js';
import { Provisioner } from './work/provisioner.js';
import { Supervision } from './work/supervision.js';
import { Teardown } from './work/teardown.js';

const WORK = [Boot, BootInputs, Endings, HeldInterns, InternWork, OrphanedInterns, Provisioner, Supervision, Teardown];
const TURNS = [InternHandOver, InternSessions, InternTurns, ReplicaRelay, RuntimeFinder];

/** Interns: access, creation, transitions between statuses, and the turns of their agents. */
@Module({
  imports: [AuditModule, AuthModule, EgressModule, RuntimesModule, TelemetryModule, TenancyModule, VaultsModule],
  providers: [
    CreationClaims,
    CreationWitness,
    InternAdmission,
    InternCreation,
    InternMetrics,
    InternNames,
    InternRows,
    InternSettingsRows,
    Interns,
    Programme,
    ...WORK,
    ...TURNS,
  ],
  exports: [InternCreation, InternNames, Interns, InternSessions, InternTurns, Programme, ReplicaRelay, VaultsModule],
})
export class InternsModule {
  constructor(contents: WorkspaceContents) {
    contents.register('interns', rowsOfTable('intern'));
  }
}

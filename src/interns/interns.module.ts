import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { EgressModule } from '../egress/egress.module.js';
import { RuntimesModule } from '../runtimes/runtimes.module.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { WorkspaceContents } from '../tenancy/workspace-contents.js';
import { VaultsModule } from '../vaults/vaults.module.js';
import { CreationClaims } from './creation-claims.js';
import { CreationWitness } from './creation-witness.js';
import { InternCreation } from './intern-creation.js';
import { InternLife } from './intern-life.js';
import { NewInternRow } from './new-intern-row.js';
import { Programme } from './programme.js';
import { BootSecrets } from './work/boot-secrets.js';
import { Boot } from './work/boot.js';
import { Endings } from './work/endings.js';
import { HeldInterns } from './work/held-interns.js';
import { InternEgress } from './work/intern-egress.js';
import { InternWork } from './work/intern-work.js';
import { Provisioner } from './work/provisioner.js';
import { ProvisioningCourse } from './work/provisioning-course.js';
import { Supervision } from './work/supervision.js';
import { Teardown } from './work/teardown.js';
import { WorkQueue } from './work/work-queue.js';

/** What makes and runs them, private to this room. */
const WORK = [
  Boot,
  BootSecrets,
  Endings,
  HeldInterns,
  InternEgress,
  InternWork,
  Provisioner,
  ProvisioningCourse,
  Supervision,
  Teardown,
  WorkQueue,
];

/** The life of interns: who may have them, how they are made, and what may happen to them. */
@Module({
  imports: [AuditModule, AuthModule, EgressModule, RuntimesModule, TenancyModule, VaultsModule],
  providers: [CreationClaims, CreationWitness, InternCreation, InternLife, NewInternRow, Programme, ...WORK],
  exports: [InternCreation, InternLife, Programme, VaultsModule],
})
export class InternsModule {
  constructor(contents: WorkspaceContents) {
    contents.register('interns', async (workspaceId, session) => {
      const [row] = await session.query<{ found: number }>(
        'select count(*)::int as found from intern where workspace_id = $1',
        [workspaceId],
      );
      return row?.found ?? 0;
    });
  }
}

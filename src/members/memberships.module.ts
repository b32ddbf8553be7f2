import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { Invitations } from './invitations.js';
import { LinkedIdentities } from './linked-identities.js';
import { MemberAccess } from './member-access.js';
import { MemberList } from './member-list.js';
import { MemberNames } from './member-names.js';
import { MemberRows } from './member-rows.js';
import { Memberships } from './memberships.js';
import { WorkspaceMembers } from './workspace-members.js';

/** The members of accounts and workspaces: their roles, and the start and end of memberships. */
@Module({
  imports: [AuditModule, AuthModule, SessionsModule, TenancyModule],
  providers: [
    Invitations,
    LinkedIdentities,
    MemberAccess,
    MemberList,
    MemberNames,
    MemberRows,
    Memberships,
    WorkspaceMembers,
  ],
  exports: [Invitations, LinkedIdentities, MemberList, MemberNames, Memberships, WorkspaceMembers],
})
export class MembershipsModule {}

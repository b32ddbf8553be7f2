import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { Invitations } from './invitations.js';
import { MemberAccess } from './member-access.js';
import { MemberRows } from './member-rows.js';
import { Memberships } from './memberships.js';

/** Who is a member of an account and of its workspaces, with which role, and how that begins and ends. */
@Module({
  imports: [AuditModule, AuthModule, SessionsModule, TenancyModule],
  providers: [Invitations, MemberAccess, MemberRows, Memberships],
  exports: [Invitations, Memberships],
})
export class MembershipsModule {}

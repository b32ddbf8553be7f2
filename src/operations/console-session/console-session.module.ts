import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { GateModule } from '../../auth/gate.module.js';
import { BillingModule } from '../../billing/billing.module.js';
import { MembershipsModule } from '../../members/memberships.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { TenancyModule } from '../../tenancy/tenancy.module.js';
import { ConsoleSessionController } from './console-session.controller.js';
import { ConsoleSessionService } from './console-session.service.js';
import { ConsoleSessionsController } from './console-sessions.controller.js';
import { ConsoleSessionsService } from './console-sessions.service.js';
import { InvitedSignIns } from './invited-sign-ins.js';
import { LocalSignIns } from './local-sign-ins.js';
import { SessionSettings } from './session-settings.js';
import { SessionViews } from './session-views.js';

/**
 * Lets a person sign in to the console, choose the workspace and the limit of the session's calls, list their sessions,
 * and sign out.
 */
@Module({
  imports: [AuditModule, AuthModule, BillingModule, GateModule, MembershipsModule, SessionsModule, TenancyModule],
  controllers: [ConsoleSessionController, ConsoleSessionsController],
  providers: [
    ConsoleSessionService,
    ConsoleSessionsService,
    InvitedSignIns,
    LocalSignIns,
    SessionSettings,
    SessionViews,
  ],
})
export class ConsoleSessionModule {}

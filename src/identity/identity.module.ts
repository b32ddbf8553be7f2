import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { GateModule } from '../auth/gate.module.js';
import { Clock } from '../kernel/clock.js';
import { MembershipsModule } from '../members/memberships.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TenancyModule } from '../tenancy/tenancy.module.js';
import { BackChannelLogout } from './back-channel-logout.js';
import { OpenidClientDriver } from './drivers/openid-client.driver.js';
import { IdentityLinks } from './identity-links.js';
import { IdentityProviderClient } from './identity-provider.port.js';
import { IdentityProviders } from './identity-providers.js';
import { IdentitySignIns } from './identity-sign-ins.js';
import { IdentityUsers } from './identity-users.js';
import { ProvidedRoles } from './provided-roles.js';
import { ProvidedWorkspaces } from './provided-workspaces.js';
import { ProviderSignIns } from './provider-sign-ins.js';
import { SignInAttempts } from './sign-in-attempts.js';
import { SignInRefusals } from './sign-in-refusals.js';
import { SignInStarts } from './sign-in-starts.js';
import { UserIdentities } from './user-identities.js';

/** Sign-in through identity providers. Identifies the person, and finds or creates the person's membership. */
@Module({
  imports: [AuditModule, AuthModule, GateModule, MembershipsModule, SessionsModule, TenancyModule],
  providers: [
    BackChannelLogout,
    IdentityLinks,
    IdentityProviders,
    IdentitySignIns,
    IdentityUsers,
    ProvidedRoles,
    ProvidedWorkspaces,
    ProviderSignIns,
    SignInAttempts,
    SignInRefusals,
    SignInStarts,
    UserIdentities,
    {
      provide: IdentityProviderClient,
      inject: [Clock],
      useFactory: (clock: Clock): IdentityProviderClient => new OpenidClientDriver(clock),
    },
  ],
  exports: [
    BackChannelLogout,
    IdentityLinks,
    IdentityProviderClient,
    IdentityProviders,
    ProviderSignIns,
    SignInRefusals,
    SignInStarts,
  ],
})
export class IdentityModule {}

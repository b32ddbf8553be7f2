import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { markTokenUsed } from '../database/used-tokens.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import { Clock } from '../kernel/clock.js';
import { ConsoleSessions } from '../sessions/console-sessions.js';
import { IdentityProviderClient } from './identity-provider.port.js';
import { IdentityProviders } from './identity-providers.js';
import { SignInRefused } from './sign-in-refused.js';

/** The time for which a used token is remembered. It is longer than the time for which a logout token is accepted. */
const REMEMBERED_MS = 600_000;

/** Ends sessions at the request of the identity provider (OpenID Connect Back-Channel Logout 1.0). */
@Injectable()
export class BackChannelLogout {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly providers: IdentityProviders,
    private readonly client: IdentityProviderClient,
    private readonly sessions: ConsoleSessions,
  ) {}

  /**
   * `name`: the provider's name. Throws a 404 for an unknown name. Throws SignInRefused if the token is invalid or was
   * used before, or if the provider cannot be reached.
   */
  async end(name: string, token: string, place: CallerPlace): Promise<void> {
    const provider = this.providers.named(name);
    const { jti, sub, sid } = await this.client.logoutClaims(provider, token);
    const { issuer } = provider;
    const expiresAt = new Date(this.clock.now().getTime() + REMEMBERED_MS);
    if (!(await markTokenUsed(this.sql, `${issuer} logout`, jti, expiresAt)))
      throw new SignInRefused('token_invalid', 'used before');
    await this.sessions.endOfIdentity(
      { issuer, subject: sub, providerSessionId: sid },
      { action: 'sign_out', by: 'service', place },
    );
  }
}

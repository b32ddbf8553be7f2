import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

type Claims = Readonly<Record<string, unknown>>;

interface Session {
  readonly accountId: string;
}

interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: Session;
    readonly provider: {
      readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<void> };
    };
  };
}

export const TEST_CLIENT = { id: 'gatehouse', secret: 's'.repeat(43) };

/** A real OpenID Connect provider on loopback. It signs in the user that the test names. */
export class TestIdentityProvider {
  /** Claims by subject; a test may change them. */
  readonly users: Record<string, Claims> = {};
  /** Additional claims for every user, with names that no scope contains. */
  extraClaims: Claims = {};
  /** The subject of the next sign-in. */
  signInAs = '';

  private constructor(
    readonly issuer: string,
    private readonly server: Server,
  ) {}

  static async start(redirectUris: readonly string[]): Promise<TestIdentityProvider> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const self = new TestIdentityProvider(issuer, server);
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: TEST_CLIENT.id,
          client_secret: TEST_CLIENT.secret,
          redirect_uris: redirectUris,
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      claims: {
        openid: ['sub', '_claim_names', 'hasgroups'],
        email: ['email', 'email_verified'],
        profile: ['name'],
        groups: ['groups'],
      },
      scopes: ['openid', 'email', 'profile', 'groups'],
      pkce: { required: () => true },
      cookies: { keys: ['test'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_context: unknown, sub: string) =>
        self.users[sub] && { accountId: sub, claims: () => ({ sub, ...self.users[sub], ...self.extraClaims }) },
      // Grants consent without a page.
      loadExistingGrant: async ({
        oidc: {
          client,
          session,
          provider: { Grant },
        },
      }: GrantContext) => {
        const grant = new Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope('openid email profile groups');
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      if (!context.path.startsWith('/interaction/')) return next();
      const result = { login: { accountId: self.signInAs } };
      context.redirect(await provider.interactionResult(context.req, context.res, result));
    });
    server.on('request', provider.callback());
    return self;
  }

  /** The variables of a service that uses this provider as `name`. */
  variables(name: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return variablesOf(name, this.issuer, more);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** The variables of one provider. `more`: further variables, without the prefix `OIDC_<NAME>_`. */
export function variablesOf(
  name: string,
  issuer: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const own = { ISSUER: issuer, CLIENT_ID: TEST_CLIENT.id, CLIENT_SECRET: TEST_CLIENT.secret, ...more };
  const prefix = `OIDC_${name.toUpperCase()}_`;
  return Object.fromEntries(Object.entries(own).map(([suffix, value]) => [prefix + suffix, value]));
}

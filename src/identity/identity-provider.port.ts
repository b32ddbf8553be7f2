import type { IdentityProvider } from '../config/identity-provider-variables.js';

/** The secrets of one sign-in, which the provider repeats or must not know. */
export interface AttemptSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
}

/** The claims about a person, of an ID token whose signature was checked, completed from the provider's user info. */
export type IdentityClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** Whose sessions a provider ends: of `sid`, or every one of `sub`. */
export interface LogoutClaims {
  readonly jti: string;
  readonly sub?: string;
  readonly sid?: string;
}

/**
 * Speaks OpenID Connect to identity providers. Rejects with SignInRefused; a provider that does not respond within 5 s
 * is `provider_away`.
 */
export abstract class IdentityProviderClient {
  /** The page of the provider that signs in. */
  abstract authorizationUrl(provider: IdentityProvider, redirectUri: string, secrets: AttemptSecrets): Promise<URL>;

  /** Exchanges the code in the URL of a callback. */
  abstract exchange(provider: IdentityProvider, callback: URL, secrets: AttemptSecrets): Promise<IdentityClaims>;

  /** Checks a logout token (OpenID Connect Back-Channel Logout 1.0); whether it was used before is not checked. */
  abstract logoutClaims(provider: IdentityProvider, token: string): Promise<LogoutClaims>;

  /** Why the provider cannot be used now; null = it can. */
  abstract fault(provider: IdentityProvider): Promise<string | null>;
}

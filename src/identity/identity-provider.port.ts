import type { IdentityProvider } from '../config/identity-provider-variables.js';

/** The random values of one sign-in attempt. */
export interface AttemptSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE code verifier. */
  readonly verifier: string;
}

/**
 * The claims about a person. They come from an ID token with a verified signature, and from the provider's user info.
 */
export type IdentityClaims = Readonly<Record<string, unknown>> & { readonly sub: string };

/** The sessions that a provider ends: the sessions with `sid`, or all sessions of `sub` if `sid` is absent. */
export interface LogoutClaims {
  readonly jti: string;
  readonly sub?: string;
  readonly sid?: string;
}

/**
 * An OpenID Connect client for identity providers. If a method except `fault` fails, it rejects with SignInRefused. The
 * reason is `provider_away` if the provider does not respond within 5 s.
 */
export abstract class IdentityProviderClient {
  /** The URL of the provider's sign-in page. */
  abstract authorizationUrl(provider: IdentityProvider, redirectUri: string, secrets: AttemptSecrets): Promise<URL>;

  /** Exchanges the code in the URL of a callback. */
  abstract exchange(provider: IdentityProvider, callback: URL, secrets: AttemptSecrets): Promise<IdentityClaims>;

  /** Checks a logout token (OpenID Connect Back-Channel Logout 1.0). Accepts a token that was used before. */
  abstract logoutClaims(provider: IdentityProvider, token: string): Promise<LogoutClaims>;

  /** The reason why the provider cannot be used now; null = it can be used. */
  abstract fault(provider: IdentityProvider): Promise<string | null>;
}

import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import * as client from 'openid-client';
import type { IdentityProvider } from '../../config/identity-provider-variables.js';
import type { Clock } from '../../kernel/clock.js';
import {
  IdentityProviderClient,
  type AttemptSecrets,
  type IdentityClaims,
  type LogoutClaims,
} from '../identity-provider.port.js';
import { SignInRefused } from '../sign-in-refused.js';
import { boundedFetch, MAX_PROVIDER_S } from './bounded-fetch.js';
import { withUserInfo } from './missing-claims.js';
import { asSignInRefusal } from './provider-faults.js';
import { checkedMetadata } from './provider-metadata.js';

const MAX_METADATA_AGE_MS = 600_000;
const MAX_SKEW_S = 30;
const MAX_LOGOUT_TOKEN_AGE_S = 120;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

interface KnownProvider {
  readonly metadata: client.ServerMetadata;
  readonly readAt: number;
  jwks?: client.ExportedJWKSCache;
}

/** One exchange with a provider, with one deadline for all its requests. */
interface Exchange {
  readonly config: client.Configuration;
  readonly known: KnownProvider;
}

/** Uses a library that checks state, nonce, PKCE, `iss` and tokens. This class makes further checks (decision 0074). */
export class OpenidClientDriver extends IdentityProviderClient {
  /** The providers by name. */
  readonly #known = new Map<string, KnownProvider>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async authorizationUrl(provider: IdentityProvider, redirectUri: string, secrets: AttemptSecrets): Promise<URL> {
    const { config } = await this.#open(provider);
    return client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: provider.scopes.join(' '),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    });
  }

  async exchange(provider: IdentityProvider, callback: URL, secrets: AttemptSecrets): Promise<IdentityClaims> {
    const { config, known } = await this.#open(provider);
    try {
      const tokens = await client.authorizationCodeGrant(config, callback, {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      });
      known.jwks = client.getJwksCache(config);
      const claims = tokens.claims()!;
      this.#refuseEarly(claims.iat);
      if (claims.azp !== undefined && claims.azp !== provider.clientId) throw new SignInRefused('token_invalid', 'azp');
      return await withUserInfo(provider, claims, known.metadata.userinfo_endpoint, () =>
        client.fetchUserInfo(config, tokens.access_token, claims.sub),
      );
    } catch (error) {
      throw asSignInRefusal(error, 'token_invalid');
    }
  }

  async logoutClaims(provider: IdentityProvider, token: string): Promise<LogoutClaims> {
    const { known } = await this.#open(provider);
    try {
      const keys = createLocalJWKSet(await readKeys(known.metadata));
      const { payload } = await jwtVerify(token, keys, {
        issuer: provider.issuer,
        audience: provider.clientId,
        algorithms: [...known.metadata.id_token_signing_alg_values_supported!],
        requiredClaims: ['iat', 'jti', 'events'],
        maxTokenAge: MAX_LOGOUT_TOKEN_AGE_S,
        clockTolerance: MAX_SKEW_S,
        currentDate: this.clock.now(),
      });
      const { jti, sub, sid, events, nonce } = payload;
      const event = (events as Record<string, unknown> | null)?.[LOGOUT_EVENT];
      const names = (value: unknown): boolean => typeof value === 'string' && value !== '';
      const isLogout = typeof event === 'object' && event !== null && nonce === undefined && names(jti);
      if (!isLogout || !(names(sub) || names(sid)) || (sid !== undefined && !names(sid)))
        throw new SignInRefused('token_invalid', 'no logout token');
      return { jti: jti!, sub, sid: sid as string | undefined };
    } catch (error) {
      throw asSignInRefusal(error, 'token_invalid');
    }
  }

  async fault(provider: IdentityProvider): Promise<string | null> {
    try {
      await this.#open(provider);
      return null;
    } catch (error) {
      const { reason, detail } = asSignInRefusal(error, 'provider_unusable');
      return detail === null ? reason : `${reason}: ${detail}`;
    }
  }

  #refuseEarly(iat: number): void {
    if (iat * 1_000 > this.clock.now().getTime() + MAX_SKEW_S * 1_000) throw new SignInRefused('token_invalid', 'iat');
  }

  async #open(provider: IdentityProvider): Promise<Exchange> {
    const fetching = boundedFetch(AbortSignal.timeout(MAX_PROVIDER_S * 1_000));
    let known = this.#known.get(provider.name);
    if (!known || this.clock.now().getTime() - known.readAt > MAX_METADATA_AGE_MS) {
      known = { metadata: await discover(provider, fetching), readAt: this.clock.now().getTime() };
      this.#known.set(provider.name, known);
    }
    const { clientId, clientSecret } = provider;
    const config = new client.Configuration(known.metadata, clientId, {}, authentication(known, clientSecret.reveal()));
    config[client.customFetch] = fetching;
    config.timeout = MAX_PROVIDER_S;
    // Checks the signatures of tokens. By default, a token with a wrong signature is accepted.
    client.enableNonRepudiationChecks(config);
    // oxlint-disable-next-line typescript/no-deprecated -- Deprecated only as a warning; for providers on loopback.
    if (isPlain(provider)) client.allowInsecureRequests(config);
    if (known.jwks) client.setJwksCache(config, known.jwks);
    return { config, known };
  }
}

/** Whether the issuer uses http://, which the configuration allows only on loopback. */
const isPlain = ({ issuer }: IdentityProvider): boolean => issuer.startsWith('http:');

async function discover(provider: IdentityProvider, fetching: client.CustomFetch): Promise<client.ServerMetadata> {
  try {
    const found = await client.discovery(new URL(provider.issuer), provider.clientId, {}, client.None(), {
      timeout: MAX_PROVIDER_S,
      [client.customFetch]: fetching,
      // oxlint-disable-next-line typescript/no-deprecated -- For providers on loopback. Compared by identity.
      execute: isPlain(provider) ? [client.allowInsecureRequests] : [],
    });
    return checkedMetadata(provider, { ...found.serverMetadata() });
  } catch (error) {
    throw asSignInRefusal(error, 'provider_unusable');
  }
}

/** A provider that lists no methods accepts the secret in the header (RFC 8414). */
function authentication({ metadata }: KnownProvider, secret: string): client.ClientAuth {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}

async function readKeys({ jwks_uri }: client.ServerMetadata): Promise<JSONWebKeySet> {
  const headers = { accept: 'application/json' };
  const fetching = boundedFetch(AbortSignal.timeout(MAX_PROVIDER_S * 1_000));
  const response = await fetching(jwks_uri!, { method: 'GET', headers, body: undefined, redirect: 'manual' });
  return (await response.json()) as JSONWebKeySet;
}

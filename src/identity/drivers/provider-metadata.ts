import type { ServerMetadata } from 'openid-client';
import type { IdentityProvider } from '../../config/identity-provider-variables.js';
import { SignInRefused } from '../sign-in-refused.js';

/**
 * The algorithms that sign with a private key. Algorithms with a shared secret are refused, because their signatures do
 * not prove that the provider signed the token.
 */
const ASYMMETRIC = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;
/** The algorithms if the metadata has no list (OpenID Connect Core, section 3.1.3.7). */
const BY_DEFAULT: readonly string[] = ['RS256'];

/**
 * Returns the metadata with the allowed algorithms of ID tokens. Throws if the metadata allows unsigned tokens, if it
 * allows only symmetric signatures, or if it has no jwks_uri. Also throws if the issuer differs, because the library
 * compares issuers as URLs and ignores a trailing slash.
 */
export function checkedMetadata({ issuer }: IdentityProvider, metadata: ServerMetadata): ServerMetadata {
  const unusable = (detail: string): SignInRefused => new SignInRefused('provider_unusable', detail);
  if (metadata.issuer !== issuer) throw unusable('its issuer differs from the configured issuer');
  const listed = metadata.id_token_signing_alg_values_supported ?? BY_DEFAULT;
  if (listed.includes('none')) throw unusable('it lists ID tokens without a signature (none)');
  const algorithms = listed.filter((name) => ASYMMETRIC.test(name));
  if (algorithms.length === 0) throw unusable('it lists no algorithm that signs with a private key');
  if (typeof metadata.jwks_uri !== 'string') throw unusable('it has no jwks_uri');
  return { ...metadata, id_token_signing_alg_values_supported: algorithms };
}

import type { ServerMetadata } from 'openid-client';
import type { IdentityProvider } from '../../config/identity-provider-variables.js';
import { SignInRefused } from '../sign-in-refused.js';

/** Signature algorithms with private keys. A shared secret would prove nothing about the provider. */
const ASYMMETRIC = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;
/** The algorithm if the metadata lists none (OpenID Connect Core, section 3.1.3.7). */
const BY_DEFAULT: readonly string[] = ['RS256'];

/**
 * Returns the metadata with the allowed algorithms of ID tokens. Throws for metadata that allows only unsigned tokens
 * or symmetric signatures, and for a different issuer: the library compares issuers as URLs, which ignores a trailing
 * slash.
 */
export function checkedMetadata({ issuer }: IdentityProvider, metadata: ServerMetadata): ServerMetadata {
  const unusable = (detail: string): SignInRefused => new SignInRefused('provider_unusable', detail);
  if (metadata.issuer !== issuer) throw unusable('its issuer differs from the configured issuer');
  const listed = metadata.id_token_signing_alg_values_supported ?? BY_DEFAULT;
  if (listed.includes('none')) throw unusable('it lists ID tokens without a signature (none)');
  const algorithms = listed.filter((name) => ASYMMETRIC.test(name));
  if (algorithms.length === 0) throw unusable('it lists no signatures by a private key');
  if (typeof metadata.jwks_uri !== 'string') throw unusable('it has no jwks_uri');
  return { ...metadata, id_token_signing_alg_values_supported: algorithms };
}

import type { ServerMetadata } from 'openid-client';
import type { IdentityProvider } from '../../config/identity-provider-variables.js';
import { SignInRefused } from '../sign-in-refused.js';

/** Signatures of private keys. A secret that both sides know proves nothing about the provider. */
const ASYMMETRIC = /^(?:(?:RS|PS|ES)(?:256|384|512)|EdDSA|Ed25519)$/;
/** OpenID Connect Core, section 3.1.3.7: the algorithm where the metadata lists none. */
const BY_DEFAULT: readonly string[] = ['RS256'];

/**
 * The metadata with the algorithms that ID tokens may have. Refuses metadata that allows unsigned tokens or symmetric
 * signatures only, and another issuer: the library compares issuers as URLs, which a slash at the end does not change.
 */
export function checkedMetadata({ issuer }: IdentityProvider, metadata: ServerMetadata): ServerMetadata {
  const unusable = (detail: string): SignInRefused => new SignInRefused('provider_unusable', detail);
  if (metadata.issuer !== issuer) throw unusable('its issuer is not the one of the variable, letter by letter');
  const listed = metadata.id_token_signing_alg_values_supported ?? BY_DEFAULT;
  if (listed.includes('none')) throw unusable('it lists ID tokens without a signature (none)');
  const algorithms = listed.filter((name) => ASYMMETRIC.test(name));
  if (algorithms.length === 0) throw unusable('it lists no signatures by a private key');
  if (typeof metadata.jwks_uri !== 'string') throw unusable('it has no jwks_uri');
  return { ...metadata, id_token_signing_alg_values_supported: algorithms };
}

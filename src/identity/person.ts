import type { IdentityProvider } from '../config/identity-provider-variables.js';
import type { CallerPlace } from '../kernel/caller-place.js';
import type { IdentityClaims } from './identity-provider.port.js';
import type { IdentityFacts, IdentityKey } from './user-identities.js';
import { allowedAddress, MAX_ADDRESS_CHARACTERS, verifiedAddress } from './verified-address.js';

const MAX_NAME_CHARACTERS = 200;

/** The person who signs in, with the data that this service accepts from the provider's claims. */
export interface Person {
  readonly provider: IdentityProvider;
  /** The account whose members the provider signs in. */
  readonly accountId: string;
  readonly key: IdentityKey;
  readonly claims: IdentityClaims;
  readonly facts: IdentityFacts;
  /** The verified address, if its domain is allowed; otherwise null. Users are found only by this address. */
  readonly address: string | null;
  readonly name: string;
  readonly place: CallerPlace;
}

export function personOf(
  provider: IdentityProvider,
  accountId: string,
  claims: IdentityClaims,
  place: CallerPlace,
): Person {
  const name = shortText(claims['name'], MAX_NAME_CHARACTERS);
  const address = allowedAddress(provider, claims);
  return {
    provider,
    accountId,
    key: { issuer: provider.issuer, subject: claims.sub },
    claims,
    facts: {
      provider: provider.name,
      email: shortText(claims['email'], MAX_ADDRESS_CHARACTERS),
      emailVerified: verifiedAddress(claims) !== null,
      name,
    },
    address,
    name: name ?? address?.split('@')[0] ?? 'Member',
    place,
  };
}

/**
 * Replaces control characters by spaces, because the database or a page would not accept them, and shortens the text.
 */
function shortText(value: unknown, maxCharacters: number): string | null {
  if (typeof value !== 'string') return null;
  const text = [
    ...value
      .toWellFormed()
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim(),
  ]
    .slice(0, maxCharacters)
    .join('');
  return text === '' ? null : text;
}

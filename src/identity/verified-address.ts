import type { IdentityProvider } from '../config/identity-provider-variables.js';
import type { IdentityClaims } from './identity-provider.port.js';

/** ASCII only: other letters look like these, and some become these in lower case. */
const ADDRESS = /^[\x21-\x3f\x41-\x7e]{1,64}@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/;
const MAX_ADDRESS_CHARACTERS = 254;

/**
 * Providers that confirm addresses of any domain to anybody. For members of an organisation they name its domain as
 * `hd`, which then decides.
 */
const OPEN_TO_ANYBODY: ReadonlySet<string> = new Set(['https://accounts.google.com']);

/** The address in lower case, if the provider says that it is the person's; null otherwise. */
export function verifiedAddress(claims: IdentityClaims): string | null {
  const { email, email_verified: verified } = claims;
  if (typeof email !== 'string' || email.length > MAX_ADDRESS_CHARACTERS) return null;
  if (verified !== true && verified !== 'true') return null;
  // Before the lower case, which makes an ASCII k of the Kelvin sign.
  return /^[\x20-\x7e]*$/.test(email) && ADDRESS.test(email.toLowerCase()) ? email.toLowerCase() : null;
}

/** The verified address if its domain is one of the provider's DOMAINS; null otherwise. */
export function allowedAddress({ domains, issuer }: IdentityProvider, claims: IdentityClaims): string | null {
  const address = verifiedAddress(claims);
  const domain = address?.slice(address.indexOf('@') + 1);
  if (domain === undefined || !domains.includes(domain)) return null;
  return OPEN_TO_ANYBODY.has(issuer) && !domains.includes(String(claims['hd']).toLowerCase()) ? null : address!;
}

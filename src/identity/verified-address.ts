import type { IdentityProvider } from '../config/identity-provider-variables.js';
import type { IdentityClaims } from './identity-provider.port.js';

/** Only ASCII is allowed, because other letters may look like ASCII letters, and some become ASCII in lower case. */
const ADDRESS = /^[\x21-\x3f\x41-\x7e]{1,64}@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/;
export const MAX_ADDRESS_CHARACTERS = 254;

/**
 * Issuers where anyone can register, with an address of any domain. For a member of an organisation, such an issuer
 * sends the organisation's domain in `hd`. An address is accepted only if this domain is allowed too.
 */
const OPEN_TO_ANYBODY: ReadonlySet<string> = new Set(['https://accounts.google.com']);

/** The address in lower case, if the provider confirms that it belongs to the person; otherwise null. */
export function verifiedAddress(claims: IdentityClaims): string | null {
  const { email, email_verified: verified } = claims;
  if (typeof email !== 'string' || email.length > MAX_ADDRESS_CHARACTERS) return null;
  if (verified !== true && verified !== 'true') return null;
  // Checked before lower-casing, which would convert the Kelvin sign to an ASCII k.
  return /^[\x20-\x7e]*$/.test(email) && ADDRESS.test(email.toLowerCase()) ? email.toLowerCase() : null;
}

/** The verified address if its domain is one of the provider's DOMAINS; otherwise null. */
export function allowedAddress({ domains, issuer }: IdentityProvider, claims: IdentityClaims): string | null {
  const address = verifiedAddress(claims);
  const domain = address?.slice(address.indexOf('@') + 1);
  if (domain === undefined || !domains.includes(domain)) return null;
  return OPEN_TO_ANYBODY.has(issuer) && !domains.includes(String(claims['hd']).toLowerCase()) ? null : address!;
}

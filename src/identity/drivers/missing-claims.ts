import type { IdentityProvider } from '../../config/identity-provider-variables.js';
import { groupsIn } from '../group-claim.js';
import type { IdentityClaims } from '../identity-provider.port.js';

/**
 * The claims of the e-mail address. Both must come from the same source, so that one source cannot confirm the address
 * of the other source.
 */
const OF_ADDRESS: ReadonlySet<string> = new Set(['email', 'email_verified']);

/**
 * Adds the claims of the user info if the ID token has no address, or if it has no groups and groups determine the
 * role. The claims of the ID token take precedence.
 */
export async function withUserInfo(
  provider: IdentityProvider,
  claims: IdentityClaims,
  endpoint: string | undefined,
  read: () => Promise<IdentityClaims>,
): Promise<IdentityClaims> {
  const needsGroups = provider.roles.length > 0 && groupsIn(claims, provider.groupsClaim) === 'missing';
  if (endpoint === undefined || !(needsGroups || claims['email'] === undefined)) return claims;
  const more = Object.entries(await read()).filter(([name]) => !(OF_ADDRESS.has(name) && 'email' in claims));
  return { ...Object.fromEntries(more), ...claims };
}

/** Names of tiers that mean another one. */
const SAME_AS: ReadonlyMap<string, string> = new Map([
  ['fast', 'priority'],
  ['standard', 'default'],
  ['on_demand', 'default'],
]);

/** The tier under the name that the catalogue has for it. */
export const tierNamed = (tier: string): string => SAME_AS.get(tier) ?? tier;

/**
 * The tier that a request names, by which its endpoints are chosen. Undefined where the vendor chooses: the request
 * then goes to the endpoints of the default tier.
 */
export function requestedTier(serviceTier: unknown): string | undefined {
  if (typeof serviceTier !== 'string') return undefined;
  const tier = tierNamed(serviceTier);
  return tier === 'auto' || tier === 'default' ? undefined : tier;
}

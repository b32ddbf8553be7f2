const TIER_ALIASES: ReadonlyMap<string, string> = new Map([
  ['fast', 'priority'],
  ['standard', 'default'],
  ['on_demand', 'default'],
]);

/** The name of a tier in the catalogue. */
export const tierNamed = (tier: string): string => TIER_ALIASES.get(tier) ?? tier;

/**
 * The tier in a request, by which its endpoints are chosen. Undefined if the request sets no tier, `auto` or the
 * default tier. The endpoints of the default tier are then used.
 */
export function requestedTier(serviceTier: unknown): string | undefined {
  if (typeof serviceTier !== 'string') return undefined;
  const tier = tierNamed(serviceTier);
  return tier === 'auto' || tier === 'default' ? undefined : tier;
}

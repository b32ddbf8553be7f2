/** Aliases of tier names. */
const SAME_AS: ReadonlyMap<string, string> = new Map([
  ['fast', 'priority'],
  ['standard', 'default'],
  ['on_demand', 'default'],
]);

/** The tier by its name in the catalogue. */
export const tierNamed = (tier: string): string => SAME_AS.get(tier) ?? tier;

/**
 * The tier in a request, by which its endpoints are chosen. Undefined if the vendor chooses; the endpoints of the
 * default tier are then used.
 */
export function requestedTier(serviceTier: unknown): string | undefined {
  if (typeof serviceTier !== 'string') return undefined;
  const tier = tierNamed(serviceTier);
  return tier === 'auto' || tier === 'default' ? undefined : tier;
}

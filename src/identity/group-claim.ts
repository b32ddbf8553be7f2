type Claims = Readonly<Record<string, unknown>>;

/** The claims that a provider sends instead of a list of groups that is too long. */
const OVERAGE: readonly string[] = ['_claim_names', 'hasgroups'];

/**
 * The groups at a path in the claims. `missing`: the path contains neither a list nor a text; an empty list is not
 * missing. `overage`: the provider omitted the list because it is too long.
 */
export function groupsIn(claims: Claims, place: readonly string[]): readonly string[] | 'missing' | 'overage' {
  const found = place.reduce<unknown>((value, name) => memberOf(value, name), claims);
  if (Array.isArray(found)) return found.filter((group) => typeof group === 'string');
  if (typeof found === 'string' && found !== '') return [found];
  return OVERAGE.some((marker) => Object.hasOwn(claims, marker)) ? 'overage' : 'missing';
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Claims)[name] : undefined;

import type { CatalogueModel } from '../catalogue-model.js';
import type { ComposedCatalogue } from '../entries/compose-catalogue.js';

/** One thing that an import changes. */
export interface Difference {
  readonly change: 'new model' | 'gone model' | 'model' | 'new provider' | 'gone provider' | 'provider';
  /** Id of the model or slug of the vendor. */
  readonly subject: string;
  /** The changed member, such as `pricing` or `endpoint openai`. */
  readonly member?: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** The differences between two states: models by id, then vendors by slug. */
export function differencesOf(before: ComposedCatalogue, after: ComposedCatalogue): Difference[] {
  return [
    ...between('model', 'id', before.models, after.models, membersOf),
    ...between('provider', 'slug', before.providers, after.providers, (one) => new Map(Object.entries(one))),
  ];
}

function between<Key extends string, T extends Readonly<Record<Key, string>>>(
  kind: 'model' | 'provider',
  key: Key,
  before: readonly T[],
  after: readonly T[],
  members: (one: T) => ReadonlyMap<string, unknown>,
): Difference[] {
  const [olds, news] = [before, after].map((all) => new Map(all.map((one) => [one[key] as string, one])));
  return [...new Set([...olds!.keys(), ...news!.keys()])].toSorted().flatMap((subject): Difference[] => {
    const [old, now] = [olds!.get(subject), news!.get(subject)];
    if (!old) return [{ change: `new ${kind}`, subject }];
    if (!now) return [{ change: `gone ${kind}`, subject }];
    if (old === now) return [];
    return ofMembers(members(old), members(now)).map((difference) => ({ change: kind, subject, ...difference }));
  });
}

function ofMembers(
  old: ReadonlyMap<string, unknown>,
  now: ReadonlyMap<string, unknown>,
): Pick<Difference, 'member' | 'from' | 'to'>[] {
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((member) => {
    const [from, to] = [old.get(member), now.get(member)];
    return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ member, from, to }];
  });
}

/** Lists each endpoint as a separate member, because imports change endpoints most often. */
function membersOf({ endpoints, ...facts }: CatalogueModel): Map<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(facts),
    ...endpoints.map((endpoint) => [`endpoint ${endpoint.tag}`, endpoint] as const),
  ]);
}

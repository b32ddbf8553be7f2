/** How responses show providers; the catalogue knows it. */
export abstract class ProviderNames {
  /** Display names by slug. */
  abstract bySlug(): Readonly<Record<string, string>>;
}

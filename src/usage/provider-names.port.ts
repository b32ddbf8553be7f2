/** The names of providers as responses show them. The catalogue defines them. */
export abstract class ProviderNames {
  /** Display names by slug. */
  abstract bySlug(): Readonly<Record<string, string>>;
}

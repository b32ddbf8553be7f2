/** The names of providers in responses, which the catalogue defines. */
export abstract class ProviderNames {
  /** Display names by slug. */
  abstract bySlug(): Readonly<Record<string, string>>;
}

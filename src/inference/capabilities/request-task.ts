import type { AdapterRegistry } from '../adapter-registry.js';
import type { ProviderPreferences } from '../provider-preferences.js';
import type { TokenCounter } from '../text/token-counter.js';

/** The common part of all tasks except the tasks for text. */
export abstract class RequestTask<
  Request extends { readonly model: string; readonly preferences: ProviderPreferences },
> {
  constructor(
    protected readonly request: Request,
    protected readonly adapters: AdapterRegistry,
    protected readonly counter: TokenCounter,
  ) {}

  get model(): string {
    return this.request.model;
  }

  get preferences(): ProviderPreferences {
    return this.request.preferences;
  }
}

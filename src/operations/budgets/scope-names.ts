import { Injectable } from '@nestjs/common';
import { Catalogue } from '../../catalogue/catalogue.js';
import { ModelAliases } from '../../catalogue/names/model-aliases.js';
import { providersNamed } from '../../catalogue/names/published-names.js';
import { AllowedModels } from '../../inference/allowed-models.js';
import { invalidRequest } from '../../kernel/errors/errors.js';

const MAX_ECHO_CHARACTERS = 100;

/**
 * Finds the slugs of the models and providers in scopes. Budgets contain slugs, because recorded attempts contain
 * slugs.
 */
@Injectable()
export class ScopeNames {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly models: AllowedModels,
    private readonly aliases: ModelAliases,
  ) {}

  /** The slug of the model with this name. Throws invalid_request if the name is unknown, ambiguous or an alias. */
  model(name: string): string {
    // Look up aliases before published names, as calls do. An alias is refused, because its models can change but a
    // scope cannot.
    const aliased = this.catalogue.find(name) ? undefined : this.aliases.slugOf(name);
    if (aliased !== undefined)
      throw invalidRequest(
        `scope.model: "${shown(name)}" is an alias of ${aliased}. Send the slug of a model instead of an alias.`,
      );
    const slug = this.models.idOf(name);
    if (slug === undefined)
      throw invalidRequest(
        `scope.model: "${shown(name)}" is not the name of exactly one model. GET /models lists the models.`,
      );
    return slug;
  }

  /** The slug of a provider. Accepts the slug of the published API too. Throws invalid_request if it is unknown. */
  provider(name: string): string {
    const slug = providersNamed(name).find((one) => this.catalogue.provider(one) !== undefined);
    if (slug === undefined)
      throw invalidRequest(
        `scope.provider: "${shown(name)}" is not the slug of a provider. GET /providers lists the slugs.`,
      );
    return slug;
  }
}

const shown = (name: string): string => name.slice(0, MAX_ECHO_CHARACTERS);

import type { Bounds, ModelQuery } from '../../catalogue/model-query.js';
import { givenMembers } from '../../kernel/given-members.js';
import type { ModelsParameters } from './models.parameters.js';

/** Converts the parameters to a query on the catalogue. */
export function toModelQuery(given: ModelsParameters): ModelQuery {
  return givenMembers<ModelQuery>({
    category: given.category,
    supportedParameters: given.supported_parameters,
    outputModalities: outputModalities(given.output_modalities),
    inputModalities: given.input_modalities,
    sort: given.sort,
    q: given.q,
    context: given.context,
    promptPrice: bounds(given.min_price, given.max_price),
    completionPrice: bounds(given.min_output_price, given.max_output_price),
    arch: given.arch,
    authors: given.model_authors,
    providers: given.providers,
    distillable: given.distillable === undefined ? undefined : given.distillable === 'true',
    zeroDataRetention: given.zdr === undefined ? undefined : true,
    region: given.region,
    ageDays: bounds(given.min_age_days, given.max_age_days),
    intelligence: bounds(given.min_intelligence_index, given.max_intelligence_index),
    coding: bounds(given.min_coding_index, given.max_coding_index),
    agentic: bounds(given.min_agentic_index, given.max_agentic_index),
    toolSuccessRate: bounds(given.min_tool_success_rate, given.max_tool_success_rate),
  });
}

/**
 * The modalities to filter by: `text` if the parameter is absent. Returns undefined (no filter) if the parameter
 * contains `all`; its other values then have no effect.
 */
function outputModalities(given: readonly string[] | undefined): readonly string[] | undefined {
  return given?.includes('all') ? undefined : (given ?? ['text']);
}

function bounds<T>(min: T | undefined, max: T | undefined): Bounds<T> | undefined {
  return min === undefined && max === undefined ? undefined : givenMembers<Bounds<T>>({ min, max });
}

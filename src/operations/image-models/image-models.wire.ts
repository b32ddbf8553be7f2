import type { CatalogueEndpoint, CatalogueModel, ParameterRule } from '../../catalogue/catalogue-model.js';
import { API_PREFIX } from '../../http/edge/configure-server.js';
import type { ImageEndpoint, ImageModel, ImageModelEndpointsResponse } from './dto/image-models.response.dto.js';

const imageEndpointsOf = (model: CatalogueModel): CatalogueEndpoint[] =>
  model.endpoints.filter((endpoint) => endpoint.capability === 'image');

/** Converts an image model and its endpoints to the API record. */
export function toImageModelEndpoints(model: CatalogueModel): ImageModelEndpointsResponse {
  return { id: model.id, endpoints: imageEndpointsOf(model).map(toImageEndpoint) };
}

function toImageEndpoint(endpoint: CatalogueEndpoint): ImageEndpoint {
  return {
    provider_name: endpoint.providerName,
    provider_slug: endpoint.provider,
    provider_tag: endpoint.tag,
    supports_streaming: endpoint.supportsStreaming,
    allowed_passthrough_parameters: [...endpoint.allowedPassthroughParameters],
    pricing: endpoint.pricing.map(({ billable, unit, costUsd, variant }) => ({
      billable,
      cost_usd: Number(costUsd),
      unit,
      ...(variant === undefined ? {} : { variant }),
    })),
    supported_parameters: toRules(endpoint.supportedParameters),
  };
}

/** Converts a model to an entry of the image list, with the parameters of its first endpoint. */
export function toImageModel(model: CatalogueModel): ImageModel {
  const endpoints = imageEndpointsOf(model);
  return {
    id: model.id,
    name: model.name,
    description: model.description,
    created: model.created,
    architecture: { input_modalities: [...model.inputModalities], output_modalities: [...model.outputModalities] },
    supported_parameters: toRules(endpoints[0]?.supportedParameters ?? {}),
    supports_streaming: endpoints.some((endpoint) => endpoint.supportsStreaming),
    endpoints: `/${API_PREFIX}/images/models/${model.id}/endpoints`,
  };
}

const toRules = (rules: Readonly<Record<string, ParameterRule>>): ImageEndpoint['supported_parameters'] =>
  Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, toRule(rule)]));

/** Every rule has `type` and `values`, in addition to the members of its type. */
function toRule(rule: ParameterRule): ImageEndpoint['supported_parameters'][string] {
  if (rule.type === 'enum') return { type: rule.type, values: [...rule.values] };
  if (rule.type === 'range') return { type: rule.type, min: rule.min, max: rule.max, values: [rule.min, rule.max] };
  return { type: rule.type, values: [true, false] };
}

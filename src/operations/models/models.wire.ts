import type { CatalogueModel } from '../../catalogue/catalogue-model.js';
import { API_PREFIX } from '../../http/configure-server.js';
import type { ModelRecord } from './dto/models.response.dto.js';

/** What may leave the building of a model. */
export function toModelRecord(model: CatalogueModel): ModelRecord {
  return {
    id: model.id,
    canonical_slug: model.canonicalSlug,
    name: model.name,
    description: model.description,
    created: model.created,
    context_length: model.contextLength,
    architecture: {
      modality: `${model.inputModalities.join('+')}->${model.outputModalities.join('+')}`,
      input_modalities: [...model.inputModalities],
      output_modalities: [...model.outputModalities],
      instruct_type: model.instructType,
      tokenizer: model.tokenizer,
    },
    pricing: { ...model.pricing },
    top_provider: { context_length: model.contextLength, max_completion_tokens: model.maxCompletionTokens, is_moderated: model.isModerated },
    supported_parameters: [...model.supportedParameters],
    links: { details: `/${API_PREFIX}/models/${model.id}/endpoints` },
    default_parameters: null,
    expiration_date: model.expirationDate,
    knowledge_cutoff: model.knowledgeCutoff,
    per_request_limits: null,
    supported_voices: model.supportedVoices ? [...model.supportedVoices] : null,
  };
}

import type { CatalogueEndpoint, CatalogueModel } from '../../../src/catalogue/catalogue-model.js';

/** A model for tests, with defaults for all other properties. */
export function aModel(id: string, facts: Partial<CatalogueModel> = {}): CatalogueModel {
  return {
    id,
    canonicalSlug: id,
    name: id,
    description: `About ${id}`,
    created: 1_700_000_000,
    contextLength: 8000,
    inputModalities: ['text'],
    outputModalities: ['text'],
    tokenizer: 'Other',
    instructType: null,
    maxCompletionTokens: null,
    isModerated: false,
    supportedParameters: [],
    supportedVoices: null,
    knowledgeCutoff: null,
    expirationDate: null,
    pricing: { prompt: '0.000001', completion: '0.000002', image: '0', request: '0' },
    endpoints: [],
    ...facts,
  };
}

export function anEndpoint(provider: string, facts: Partial<CatalogueEndpoint> = {}): CatalogueEndpoint {
  return {
    provider,
    providerName: provider,
    tag: provider,
    capability: 'chat',
    adapter: null,
    upstreamModel: 'x',
    needsCredential: true,
    supportsStreaming: true,
    supportedParameters: {},
    allowedPassthroughParameters: [],
    pricing: [
      { billable: 'input_text', unit: 'token', costUsd: '0.000001' },
      { billable: 'output_text', unit: 'token', costUsd: '0.000002' },
    ],
    ...facts,
  };
}

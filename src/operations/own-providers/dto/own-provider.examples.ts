/** Requests that work unchanged. */
export const CREATE_OWN_PROVIDER_EXAMPLES = {
  one: {
    summary: 'A server with the chat format',
    value: { slug: 'our-models', format: 'chat', base_url: 'https://models.example.com/v1' },
  },
};

export const UPDATE_OWN_PROVIDER_EXAMPLES = {
  one: { summary: 'A new name', value: { name: 'Our models' } },
};

export const SET_OWN_MODEL_EXAMPLES = {
  one: {
    summary: 'A model with its prices',
    value: {
      upstream: 'assistant-7b',
      context_length: 32_768,
      pricing: { prompt: '0.0000002', completion: '0.0000006' },
    },
  },
  pictures: {
    summary: 'An image model',
    value: { capability: 'image', upstream: 'painter-xl', pricing: { image: '0.01' } },
  },
};

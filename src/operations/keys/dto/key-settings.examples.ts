/** Requests that work unchanged. */
export const ROTATE_KEY_EXAMPLES = {
  leaked: { summary: 'Refuse the former secret from now on', value: {} },
  planned: { summary: 'Accept the former secret for one more day', value: { grace_seconds: 86_400 } },
};

export const KEY_SETTINGS_EXAMPLES = {
  limited: {
    summary: 'Two groups of models, 60 requests a minute',
    value: { allowed_models: ['builtin/flite', 'builtin/*'], requests_per_minute: 60 },
  },
  cached: { summary: 'Reuse responses for ten minutes', value: { cache: { enabled: true, ttl_seconds: 600 } } },
  shared: {
    summary: 'Limits on tokens and concurrent calls, for the key and for each end user',
    value: {
      tokens_per_minute: 100_000,
      max_concurrent: 10,
      models: { 'builtin/eliza': { tokens_per_minute: 20_000 } },
      each_end_user: { requests_per_minute: 10, max_concurrent: 2 },
    },
  },
  open: {
    summary: 'The settings of a new key',
    value: { allowed_models: null, requests_per_minute: null, cache: { enabled: false }, export_content: false },
  },
};

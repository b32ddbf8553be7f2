/** Requests that work unchanged. */
export const CREATE_CHANNEL_EXAMPLES = {
  second: {
    summary: 'A second account at a provider, which gets three out of four calls',
    value: { provider: 'cerebras', key: 'sk-the-secret-your-provider-gave-you', name: 'Second account', weight: 3 },
  },
};

export const TEST_CHANNEL_EXAMPLES = {
  models: { summary: "Read the vendor's list of models", value: {} },
};

export const UPDATE_CHANNEL_EXAMPLES = {
  rotated: { summary: 'A new secret that replaces the old one', value: { key: 'sk-the-new-secret' } },
  limited: { summary: 'At most 600 calls in a minute', value: { rpm: 600 } },
};

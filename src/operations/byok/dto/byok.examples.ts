/** Requests that work unchanged. */
export const CREATE_BYOK_EXAMPLES = {
  own: {
    summary: 'A credential of your own, for one provider',
    value: { provider: 'cerebras', key: 'sk-the-secret-your-provider-gave-you', name: 'Production' },
  },
  everywhere: {
    summary: 'A credential that serves every workspace of the account',
    value: { provider: 'cerebras', key: 'sk-the-secret-your-provider-gave-you', workspace_id: null },
  },
};

export const UPDATE_BYOK_EXAMPLES = {
  rotated: {
    summary: 'A new secret that replaces the old one',
    value: { key: 'sk-the-new-secret-of-your-provider' },
  },
  last: { summary: "Used only after the platform's credentials have failed", value: { is_fallback: true } },
};

/** Requests that work unchanged. */
export const CREATE_WORKSPACE_EXAMPLES = {
  named: {
    summary: 'A workspace for one team',
    value: { name: 'Research', slug: 'research', description: 'Experiments' },
  },
};

export const UPDATE_WORKSPACE_EXAMPLES = {
  renamed: { summary: 'Another name', value: { name: 'Research and development' } },
};

export const UPDATE_WORKSPACE_SETTINGS_EXAMPLES = {
  bounded: { summary: 'Short output unless a request sets a limit', value: { default_max_output_tokens: 4096 } },
  limited: {
    summary: 'Limits of all keys together, and of each end user',
    value: { tokens_per_minute: 1_000_000, max_concurrent: 50, each_end_user: { requests_per_minute: 10 } },
  },
};

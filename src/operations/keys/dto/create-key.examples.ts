/** Requests that work unchanged. */
export const CREATE_KEY_EXAMPLES = {
  unlimited: { summary: 'Without a limit', value: { name: 'Production' } },
  limited: { summary: 'Ten dollars a month', value: { name: 'Trial', limit: 10, limit_reset: 'monthly' } },
  external: {
    summary: 'For a user of another system, with the secret that the user has',
    value: { name: 'Moved in', external: { user: 'user-4711', api_key: 'acme-5f0c2b7e9d1a4c3886e2f7b1d09a4c55' } },
  },
};

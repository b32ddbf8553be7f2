/** Requests that work unchanged. */
export const UPDATE_KEY_EXAMPLES = {
  disabled: { summary: 'Disable the key', value: { disabled: true } },
  limited: { summary: 'Five dollars a week, from Monday to Sunday', value: { limit: 5, limit_reset: 'weekly' } },
};

/** Requests that work as they are. */
export const UPDATE_KEY_EXAMPLES = {
  disabled: { summary: 'Refuse the key from now on', value: { disabled: true } },
  limited: { summary: 'Five dollars a week, from Monday to Sunday', value: { limit: 5, limit_reset: 'weekly' } },
};

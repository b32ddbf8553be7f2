/** Requests that work as they are. */
export const CREATE_KEY_EXAMPLES = {
  unlimited: { summary: 'Without a limit', value: { name: 'Production' } },
  limited: { summary: 'Ten dollars a month', value: { name: 'Trial', limit: 10, limit_reset: 'monthly' } },
};

/** Requests that work unchanged. */
export const REGISTER_END_USER_EXAMPLES = {
  tracked: { summary: 'An end user by its tracking id', value: { user: 'customer-4711' } },
};
export const UPDATE_END_USER_EXAMPLES = { inactive: { summary: 'Deactivate', value: { is_active: false } } };

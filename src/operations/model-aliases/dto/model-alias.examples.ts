/** Requests that work unchanged. */
export const SET_MODEL_ALIAS_EXAMPLES = {
  one: { summary: 'A name for a model', value: { models: ['builtin/eliza'] } },
};

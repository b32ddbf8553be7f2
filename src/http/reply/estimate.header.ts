/** The header of a count whose figure is the most that the tokens can be. */
export const ESTIMATE_IS_BOUND = { 'x-gatehouse-estimate': 'bound' } as const;

/** For the OpenAPI document. */
export const ESTIMATE_HEADER = {
  'X-Gatehouse-Estimate': {
    description: '`bound` where a part was not counted: the figure is the most that the tokens can be. Else absent.',
    schema: { type: 'string', enum: ['bound'] },
  },
};

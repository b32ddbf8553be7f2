/** The header of a count that is an upper bound of the number of tokens. */
export const ESTIMATE_IS_BOUND = { 'x-gatehouse-estimate': 'bound' } as const;

/** For the OpenAPI document. */
export const ESTIMATE_HEADER = {
  'X-Gatehouse-Estimate': {
    description: '`bound` if a part was not counted: the number is then an upper bound. Otherwise absent.',
    schema: { type: 'string', enum: ['bound'] },
  },
};

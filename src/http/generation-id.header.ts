/** For the OpenAPI document: the header by which a caller finds the record of its call again. */
export const GENERATION_ID_HEADER = {
  'X-Generation-Id': {
    description: 'Id of the generation, for GET /generation',
    required: true,
    schema: { type: 'string' },
  },
} as const;

/** For the OpenAPI document: the header with the id of the call's record. */
export const GENERATION_ID_HEADER = {
  'X-Generation-Id': {
    description: 'Id of the generation, for GET /generation',
    required: true,
    schema: { type: 'string' },
  },
} as const;

import { getSchemaPath } from '@nestjs/swagger';

export type EventSchema = Readonly<Record<string, unknown>>;

const FRAMING =
  'Each event has a `data:` line with JSON of this schema. Lines that begin with `:` are comments, which keep the ' +
  'connection open.';

export const STRING = { type: 'string' };
export const NULLABLE_STRING = { type: ['string', 'null'] };
export const INTEGER = { type: 'integer' };
export const OBJECT = { type: 'object', additionalProperties: true };

/** An object with these required members, and optional ones. */
export const members = (required: Readonly<Record<string, EventSchema>>, optional: object = {}): EventSchema => ({
  type: 'object',
  additionalProperties: true,
  required: Object.keys(required),
  properties: { ...required, ...optional },
});

/** An event whose `type` is one of `types`. */
export const typedEvent = (
  types: readonly string[],
  required: Readonly<Record<string, EventSchema>> = {},
  optional: object = {},
): EventSchema => members({ type: { type: 'string', enum: types }, ...required }, optional);

/**
 * A reference to the schema of a DTO. The document contains the schema only if another DTO refers to the DTO, or if the
 * DTO is an extra model.
 */
export const reference = (name: string): EventSchema => ({ $ref: getSchemaPath(name) });

/** The content of a response that is a stream. `end`: how the stream ends. */
export const eventsOf = (schema: EventSchema, end: string): { schema: object } => ({
  schema: { description: `${FRAMING} ${end}`, ...schema },
});

export const ENDS_WITH_DONE = 'The stream ends with the line `data: [DONE]`, which is not JSON.';

/** The members of a chunk that depend on the operation. */
interface ChunkMembers {
  readonly choice: EventSchema;
  readonly required?: Readonly<Record<string, EventSchema>>;
  readonly optional: Readonly<Record<string, EventSchema>>;
}

/** The content of a response that is a stream of chunks. `last`: what the last chunk has. */
export const chunksOf = (
  object: string,
  { choice, required, optional }: ChunkMembers,
  last: string,
): { schema: object } =>
  eventsOf(
    members(
      {
        id: STRING,
        object: { type: 'string', enum: [object] },
        created: INTEGER,
        model: STRING,
        ...required,
        choices: { type: 'array', items: choice },
      },
      // A failure after the stream has started. The chunk has `finish_reason: "error"`.
      { ...optional, error: members({ code: INTEGER, message: STRING }, { metadata: OBJECT }) },
    ),
    `The last chunk has ${last}, and an empty list of choices. ${ENDS_WITH_DONE}`,
  );

import type { OpenAPIObject } from '@nestjs/swagger';

/** A valid example for each DTO, by the DTO's name, which is also the name of its schema. */
const EXAMPLES = new Map<string, object>();

/**
 * Sets the example of a DTO, which is a response or a record in responses. In the OpenAPI document, every operation
 * that returns the DTO has the example.
 */
export const ResponseExample =
  (example: object): ClassDecorator =>
  ({ name }) =>
    void EXAMPLES.set(name, example);

interface Media {
  readonly schema?: Schema;
  example?: unknown;
  readonly examples?: unknown;
}

/** Adds the examples of DTOs to the JSON responses that have none. */
export function withResponseExamples(document: OpenAPIObject): OpenAPIObject {
  type Responses = Record<string, { content?: Record<string, Media> }>;
  for (const item of Object.values(document.paths))
    for (const { responses = {} } of Object.values(item) as { responses?: Responses }[])
      for (const { content } of Object.values(responses)) {
        const media = content?.['application/json'];
        if (!media || media.example !== undefined || media.examples !== undefined) continue;
        const example = exampleOf(schemaNameOf(media.schema), document.components?.schemas ?? {});
        if (example) media.example = example;
      }
  return document;
}

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly { $ref?: string }[];
  readonly oneOf?: readonly { $ref?: string }[];
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
type Schemas = Readonly<Record<string, object>>;

/**
 * The example of a DTO. If it has none, the example is composed from the examples of its required members. Undefined if
 * the DTO has no required member, or if a required member has no example.
 */
function exampleOf(name: string, schemas: Schemas): object | undefined {
  const { properties = {}, required = [] }: Schema = schemas[name] ?? {};
  const given = EXAMPLES.get(name);
  if (given || required.length === 0) return given;
  const members = required.map((member) => [member, valueOf(properties[member]!, schemas)] as const);
  return members.every(([, value]) => value !== undefined) ? Object.fromEntries(members) : undefined;
}

function valueOf(schema: Schema, schemas: Schemas): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'array') {
    const item = exampleOf(schemaNameOf(schema.items), schemas);
    return item && [item];
  }
  if (schema.type?.includes('null')) return null;
  // The list in an example has one item, so a count is 1. The example is the last page, so `has_more` is false.
  if (schema.type === 'integer') return 1;
  return schema.type === 'boolean' ? false : exampleOf(schemaNameOf(schema), schemas);
}

/** The component that a schema refers to, directly or as its first part. */
function schemaNameOf(schema: Schema | undefined): string {
  return (schema?.$ref ?? (schema?.allOf ?? schema?.oneOf)?.[0]?.$ref ?? '').split('/').at(-1)!;
}

import type { OpenAPIObject } from '@nestjs/swagger';

/** The names of closed DTOs, which are the names of their schemas. */
const CLOSED = new Set<string>();

/** For the DTO of an object without additional members. The schema of the DTO in the OpenAPI document forbids them. */
export const ClosedObject =
  (): ClassDecorator =>
  ({ name }) =>
    void CLOSED.add(name);

type Schemas = Record<string, { additionalProperties?: unknown }>;

/** Closes the schemas of closed DTOs. */
export function withClosedObjects(document: OpenAPIObject): OpenAPIObject {
  const schemas = (document.components?.schemas ?? {}) as Schemas;
  for (const name of CLOSED) if (schemas[name]) schemas[name].additionalProperties = false;
  return document;
}

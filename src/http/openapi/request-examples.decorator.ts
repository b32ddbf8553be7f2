import type { OpenAPIObject } from '@nestjs/swagger';

/** Valid bodies by name. */
type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: object }>>;

/** The examples of each DTO, by the DTO's name, which is also the name of its schema. */
const EXAMPLES = new Map<string, Examples>();

/**
 * Sets the examples of the DTO of a body. In the OpenAPI document, every operation that reads the DTO has them, except
 * for operations with examples of their own.
 */
export const RequestExamples =
  (examples: Examples): ClassDecorator =>
  ({ name }) =>
    void EXAMPLES.set(name, examples);

interface Operation {
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema?: { readonly $ref?: string }; examples?: Examples }>;
  };
}

/** Adds the examples of DTOs to the JSON bodies that have none. */
export function withRequestExamples(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths))
    for (const { requestBody } of Object.values(item) as Operation[]) {
      const media = requestBody?.content['application/json'];
      const examples = EXAMPLES.get(media?.schema?.$ref?.split('/').at(-1) ?? '');
      if (media && examples) media.examples ??= examples;
    }
  return document;
}

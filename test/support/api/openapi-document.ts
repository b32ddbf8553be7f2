/** The parts of an OpenAPI 3.1 document that the checks use. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

export interface DocumentedResponse {
  readonly description: string;
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
}

export type Content = Readonly<Record<string, MediaType>>;

export interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export type Schema = Readonly<Record<string, unknown>>;

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

export interface DocumentedRoute {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

export function routesOf(document: OpenApiDocument): DocumentedRoute[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Escapes one step of a JSON pointer. */
export const escapePointer = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');

/** Resolves a reference within the document; returns anything else unchanged. */
export function resolved<T>(document: OpenApiDocument, thing: T): T {
  const reference = (thing as { $ref?: string } | undefined)?.$ref;
  if (reference === undefined) return thing;
  let at: unknown = document;
  for (const step of reference.replace(/^#\//, '').split('/'))
    at = (at as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')];
  if (at === undefined) throw new Error(`the document has nothing at ${reference}`);
  return at as T;
}

import { Validator } from '@seriousme/openapi-schema-validator';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { closeSchemas } from './closed-schemas.js';
import {
  type DocumentedRoute,
  escapePointer,
  type MediaType,
  type OpenApiDocument,
  routesOf,
} from './openapi-document.js';

/**
 * All faults of an OpenAPI document, one line each; empty = no faults. In addition to the official meta-schema, finds:
 * schemas that do not compile (for example dangling references), keywords of OpenAPI 3.0 that 3.1 lacks, operations
 * without an id, a summary or a success, and examples that do not match their schemas.
 */
export async function faultsOf(document: OpenApiDocument): Promise<string[]> {
  return [
    ...(await faultsOfForm(document)),
    ...wordsOf30(document),
    ...routesOf(document).flatMap(faultsOfRoute),
    ...repeatedIds(document),
    ...faultsOfBodies(document),
  ];
}

async function faultsOfForm(document: OpenApiDocument): Promise<string[]> {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>);
  const version = document.openapi.startsWith('3.1.') ? [] : [`the version of OpenAPI is ${document.openapi}, not 3.1`];
  if (valid) return version;
  const wrong = Array.isArray(errors)
    ? errors.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
    : [String(errors)];
  return [...version, ...wrong];
}

/**
 * Finds `nullable` and boolean exclusive bounds. JSON Schema 2020-12 has no `nullable`, and its exclusive bounds are
 * numbers, so a reader of 3.1 would ignore both.
 */
function wordsOf30(document: OpenApiDocument): string[] {
  const found: string[] = [];
  const walk = (value: unknown, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, child] of Object.entries(value)) {
      const isKeyword = !pointer.endsWith('/properties') && !/\/(example|examples|default)(\/|$)/.test(pointer);
      if (isKeyword && name === 'nullable' && typeof child === 'boolean')
        found.push(`${pointer} uses nullable: write type: [..., 'null']`);
      if (isKeyword && /^exclusiveM(in|ax)imum$/.test(name) && typeof child === 'boolean')
        found.push(`${pointer} has a boolean ${name}: write the bound itself`);
      walk(child, `${pointer}/${name}`);
    }
  };
  walk(document.paths, '#/paths');
  walk(document.components, '#/components');
  return found;
}

function faultsOfRoute({ path, method, operation }: DocumentedRoute): string[] {
  const at = `${method.toUpperCase()} ${path}`;
  const statuses = Object.keys(operation.responses);
  return [
    ...(operation.operationId ? [] : [`${at} has no operationId`]),
    ...(operation.summary ? [] : [`${at} has no summary`]),
    ...(statuses.some((status) => /^[23]/.test(status)) ? [] : [`${at} documents no success`]),
    ...Object.entries(operation.responses)
      .filter(([, response]) => !('$ref' in response) && !response.description)
      .map(([status]) => `${at} does not describe its ${status}`),
  ];
}

function repeatedIds(document: OpenApiDocument): string[] {
  const ids = routesOf(document).map(({ operation }) => operation.operationId);
  return [...new Set(ids.filter((id, at) => id !== undefined && ids.indexOf(id) !== at))].map(
    (id) => `two operations are called ${id}`,
  );
}

/**
 * Compiles every schema of a body, and checks the examples against it. A misspelt member of an example is also a fault.
 */
function faultsOfBodies(document: OpenApiDocument): string[] {
  // The optimisation of compiled schemas is off, because it takes more time than it saves.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema(closeSchemas(document), 'document');
  return routesOf(document).flatMap(({ path, method, operation }) => {
    const bodies = [
      ['requestBody', operation.requestBody?.content] as const,
      ...Object.entries(operation.responses).map(([status, { content }]) => [`responses/${status}`, content] as const),
    ];
    return bodies.flatMap(([where, content]) =>
      Object.entries(content ?? {}).flatMap(([type, media]) => {
        if (!media.schema || !/json/.test(type)) return [];
        const pointer = `#/paths/${escapePointer(path)}/${method}/${where}/content/${escapePointer(type)}/schema`;
        return faultsOfMedia(ajv, `${method.toUpperCase()} ${path} ${where}`, pointer, media);
      }),
    );
  });
}

function faultsOfMedia(ajv: Ajv2020, at: string, pointer: string, media: MediaType): string[] {
  try {
    const validate = ajv.compile({ $ref: `document${encodeURI(pointer)}` });
    const examples = [
      ...(media.example === undefined ? [] : [media.example]),
      ...Object.values(media.examples ?? {}).map(({ value }) => value),
    ];
    return examples
      .filter((example) => !validate(example))
      .map(
        (example) =>
          `${at}: an example does not match its schema, ${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`,
      );
  } catch (error) {
    return [`${at}: ${(error as Error).message}`];
  }
}

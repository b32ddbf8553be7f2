import type { OpenApiDocument } from './openapi-document.js';

type Node = Record<string, unknown>;

const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf'];
/** Members whose values are data, not schemas. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);

/**
 * Copies the document and allows only documented members in objects, so that undocumented members are found. Schemas
 * with `additionalProperties` keep it. Parts of a composition stay open, and the composition is closed as a whole.
 */
export function closeSchemas(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  const parts = partsOfCompositions(copy);
  eachNode(copy, (node, pointer) => {
    const composed = COMPOSITIONS.some((keyword) => Array.isArray(node[keyword]));
    const says = 'additionalProperties' in node || 'unevaluatedProperties' in node;
    if (says || parts.has(pointer)) return;
    if (composed || isObjectSchema(node)) node.unevaluatedProperties = false;
  });
  return copy;
}

const isObjectSchema = (node: Node): boolean =>
  typeof node.properties === 'object' && node.properties !== null && !Array.isArray(node.properties);

/** Pointers of all schemas in a composition, inline or by reference, and of the schemas that they refer to. */
function partsOfCompositions(document: OpenApiDocument): ReadonlySet<string> {
  const parts = new Set<string>();
  eachNode(document, (node, pointer) => {
    for (const keyword of COMPOSITIONS) {
      const members = node[keyword];
      if (!Array.isArray(members)) continue;
      members.forEach((member: Node, at) =>
        parts.add(typeof member.$ref === 'string' ? member.$ref : `${pointer}/${keyword}/${at}`),
      );
    }
  });
  return parts;
}

function eachNode(root: unknown, visit: (node: Node, pointer: string) => void): void {
  const walk = (value: unknown, pointer: string): void => {
    if (Array.isArray(value)) return value.forEach((entry, at) => walk(entry, `${pointer}/${at}`));
    if (typeof value !== 'object' || value === null) return;
    // The API chooses the names in `properties`, so none of them is a keyword.
    const isMap = pointer.endsWith('/properties');
    if (!isMap) visit(value as Node, pointer);
    for (const [name, child] of Object.entries(value)) {
      if (isMap || !DATA.has(name)) walk(child, `${pointer}/${name}`);
    }
  };
  walk(root, '#');
}

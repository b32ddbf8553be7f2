import type { OpenApiDocument } from './openapi-document.js';

type Node = Record<string, unknown>;

const COMPOSITIONS = ['allOf', 'anyOf', 'oneOf'];
/** Members whose values are data, not schemas. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);

/**
 * A copy of the document in which an object may have no members but the documented ones, so that whatever
 * leaves the building unannounced is found. Schemas that say `additionalProperties` themselves keep it;
 * parts of a composition stay open and the composition is closed as a whole.
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

/** Pointers of all schemas in a composition, inline or by reference, and of the schemas to which those refer. */
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
    // The members of `properties` are named by the API, so no name among them is a keyword.
    const isMap = pointer.endsWith('/properties');
    if (!isMap) visit(value as Node, pointer);
    for (const [name, child] of Object.entries(value)) {
      if (isMap || !DATA.has(name)) walk(child, `${pointer}/${name}`);
    }
  };
  walk(root, '#');
}

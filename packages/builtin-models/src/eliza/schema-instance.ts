const MAX_DEPTH = 16;
const MAX_VALUES = 1_000;
const MAX_STRING_CHARACTERS = 1_024;

type Schema = Readonly<Record<string, unknown>>;

/**
 * JSON text of a small instance of a JSON Schema. The reply is in the first string property without `const` and `enum`.
 * The instance has only this property and the required properties, the shortest allowed arrays, and the first of
 * several options. Supports type, properties, required, enum, const, items, additionalProperties, anyOf,
 * oneOf, local references, and limits of lengths and numbers. Ignores other keywords, and writes null beyond its limits
 * of depth and size. The text is therefore always JSON, but valid only for simple schemas.
 */
export function instanceOf(schema: unknown, reply: string): string {
  return new InstanceWriter(schema, reply).write(schema, 0);
}

class InstanceWriter {
  private values = 0;
  private readonly root: unknown;
  private reply: string | undefined;

  constructor(root: unknown, reply: string) {
    this.root = root;
    this.reply = reply;
  }

  write(candidate: unknown, depth: number): string {
    if (++this.values > MAX_VALUES || depth > MAX_DEPTH) return 'null';
    const schema = this.resolve(candidate);
    if ('const' in schema) return json(schema['const']);
    if (Array.isArray(schema['enum'])) return json(schema['enum'][0]);
    const options = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(options)) return this.write(options[0], depth + 1);
    switch (typeOf(schema)) {
      case 'object':
        return this.object(schema, depth);
      case 'array':
        return this.array(schema, depth);
      case 'integer':
      case 'number':
        return String(numberWithin(schema));
      case 'boolean':
        return 'false';
      case 'null':
        return 'null';
      default:
        return this.string(schema);
    }
  }

  private object(schema: Schema, depth: number): string {
    const properties = asSchema(schema['properties']);
    const required = new Set(asStrings(schema['required']).slice(0, MAX_VALUES));
    const names = Object.keys(properties).slice(0, MAX_VALUES);
    const forReply = this.reply === undefined ? undefined : names.find((name) => this.isFreeString(properties[name]));
    const members = new Map<string, string>();
    // Write this property first, because another property could otherwise take the reply at a deeper level.
    if (forReply !== undefined) members.set(forReply, this.write(properties[forReply], depth + 1));
    for (const name of required) {
      if (members.has(name)) continue;
      const property = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties'];
      members.set(name, this.write(property, depth + 1));
    }
    if (forReply === undefined && members.size === 0 && this.reply !== undefined) this.addReply(schema, members);
    const order = [...names.filter((name) => members.has(name)), ...members.keys()];
    return `{${[...new Set(order)].map((name) => `${json(name)}:${members.get(name)}`).join(',')}}`;
  }

  /** Adds the reply as `reply` if the object's schema defines no properties and allows additional ones. */
  private addReply(schema: Schema, members: Map<string, string>): void {
    const others = schema['additionalProperties'] ?? true;
    if (schema['properties'] !== undefined || (others !== true && !this.isFreeString(others))) return;
    members.set('reply', this.string(asSchema(others)));
  }

  private array(schema: Schema, depth: number): string {
    const count = Math.min(asCount(schema['minItems']) ?? 0, MAX_VALUES);
    const items: string[] = [];
    while (items.length < count && this.values < MAX_VALUES) items.push(this.write(schema['items'], depth + 1));
    return `[${items.join(',')}]`;
  }

  private string(schema: Schema): string {
    const text = this.reply ?? '';
    this.reply = undefined;
    const least = Math.min(asCount(schema['minLength']) ?? 0, MAX_STRING_CHARACTERS);
    const most = asCount(schema['maxLength']);
    if (most === undefined && least === 0) return json(text);
    const characters = [...text].slice(0, most);
    return json(characters.join('') + '.'.repeat(Math.max(0, least - characters.length)));
  }

  private isFreeString(candidate: unknown): boolean {
    const schema = this.resolve(candidate);
    return typeOf(schema) === 'string' && !('const' in schema) && !('enum' in schema);
  }

  /** Follows references such as `#/$defs/name`. */
  private resolve(candidate: unknown): Schema {
    let schema = asSchema(candidate);
    for (let jumps = 0; typeof schema['$ref'] === 'string' && jumps < MAX_DEPTH; jumps++) {
      let target: unknown = this.root;
      for (const name of schema['$ref'].split('/', MAX_DEPTH).slice(1)) {
        const holder = asSchema(target);
        target = Object.hasOwn(holder, name) ? holder[name] : undefined;
      }
      schema = asSchema(target);
    }
    return schema;
  }
}

function typeOf(schema: Schema): unknown {
  const type: unknown = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (type !== undefined) return type;
  if ('properties' in schema || 'required' in schema) return 'object';
  return 'items' in schema ? 'array' : undefined;
}

function numberWithin(schema: Schema): number {
  const bound = (name: string): number | undefined =>
    typeof schema[name] === 'number' && Number.isFinite(schema[name]) ? schema[name] : undefined;
  const above = bound('exclusiveMinimum');
  const below = bound('exclusiveMaximum');
  const least = Math.ceil(bound('minimum') ?? (above === undefined ? -Infinity : above + 1));
  const most = Math.floor(bound('maximum') ?? (below === undefined ? Infinity : below - 1));
  // -0 is printed as 0.
  return Math.min(Math.max(0, least), most);
}

const asSchema = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};

const asStrings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 ? Math.floor(value) : undefined;

/** Returns null for a value that is nested too deeply to print. */
function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return 'null';
  }
}

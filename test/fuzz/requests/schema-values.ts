import { HOSTILE_JSON } from './hostile-values.js';
import { type OpenApiDocument, resolved, type Schema } from '../../support/api/openapi-document.js';
import type { RandomNumbers } from '../../support/random-numbers.js';

/** The parts of a schema from which values are generated. */
interface Rules {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/**
 * Returns a value for a member with a meaning that its schema does not express, such as an id or a model. Undefined:
 * use the schema.
 */
export type Suggest = (name: string) => unknown;

const MAX_DEPTH = 4;
const WORDS = ['alpha', 'b2', 'night-watch', 'api_token', 'Zoë', 'ünïcode 語', '\u{1F600}', 'a b', 'x'];

export class SchemaValues {
  constructor(
    private readonly document: OpenApiDocument,
    private readonly random: RandomNumbers,
    private readonly suggest: Suggest,
  ) {}

  /** A value that the schema accepts. */
  valid(schema: Schema, name = '', depth = 0): unknown {
    const rules = this.#rules(schema);
    const { random } = this;
    if (rules.enum) return random.pick(rules.enum);
    const types = typeof rules.type === 'string' ? [rules.type] : (rules.type ?? []);
    if (types.includes('null') && random.chance(0.2)) return null;
    const suggested = this.suggest(name);
    if (suggested !== undefined && random.chance(0.8) && isOfType(suggested, types)) return suggested;
    switch (types.find((type) => type !== 'null')) {
      case 'boolean':
        return random.chance(0.5);
      case 'integer':
        return (
          this.#edges(rules, true)[0] ??
          random.int(rules.minimum ?? -5, Math.min(rules.maximum ?? 50, (rules.minimum ?? 0) + 50))
        );
      case 'number':
        return (
          this.#edges(rules, true)[0] ??
          (rules.minimum ?? 0) + random.next() * Math.min(10, (rules.maximum ?? 10) - (rules.minimum ?? 0))
        );
      case 'array':
        return this.#list(rules, name, depth);
      case 'object':
        return this.#object(rules, depth);
      default:
        return this.#text(rules);
    }
  }

  /** JSON texts at the bounds of a schema, both valid and invalid. */
  edgeTexts(schema: Schema): string[] {
    const rules = this.#rules(schema);
    const { minLength, maxLength, maxItems, minItems } = rules;
    const lengths = [
      minLength,
      minLength !== undefined ? minLength - 1 : undefined,
      maxLength,
      maxLength !== undefined ? maxLength + 1 : undefined,
    ];
    const counts = [
      minItems,
      minItems !== undefined ? minItems - 1 : undefined,
      maxItems,
      maxItems !== undefined ? maxItems + 1 : undefined,
    ];
    const isCount = (count: number | undefined): count is number => count !== undefined && count >= 0;
    return [
      ...this.#edges(rules, false).map(String),
      ...lengths
        .filter(isCount)
        .flatMap((length) => ['a', '\u{1F600}', '\u0301', ' '].map((unit) => JSON.stringify(unit.repeat(length)))),
      ...counts
        .filter(isCount)
        .map((count) =>
          JSON.stringify(Array.from({ length: count }, () => (rules.items ? this.valid(rules.items, '', 1) : null))),
        ),
      ...(rules.enum ?? [])
        .filter((value) => typeof value === 'string')
        .flatMap((value) => [JSON.stringify(value.toUpperCase()), JSON.stringify(`${value} `)]),
    ];
  }

  /** The schema of a member. Undefined if the schema has no such member. */
  member(schema: Schema, name: string): Schema | undefined {
    return this.#rules(schema).properties?.[name];
  }

  names(schema: Schema): string[] {
    return Object.keys(this.#rules(schema).properties ?? {});
  }

  #rules(schema: Schema): Rules {
    const rules = resolved(this.document, schema) as Rules;
    const [part] = rules.allOf ?? rules.oneOf ?? [];
    return part ? { ...this.#rules(part), ...rules } : rules;
  }

  /** The bounds of a range and values next to them. If `isInside` is true: one of the bounds or none, at random. */
  #edges({ minimum, maximum }: Rules, isInside: boolean): number[] {
    const beyond = isInside
      ? []
      : [minimum, maximum].flatMap((edge) => (edge === undefined ? [] : [edge - 1, edge + 1, edge - 0.5]));
    const ends = [minimum, maximum].filter((edge) => edge !== undefined);
    if (!isInside) return [...ends, ...beyond];
    const drawn = this.random.next();
    return drawn < 0.2 ? ends.slice(0, 1) : drawn < 0.4 ? ends.slice(-1) : [];
  }

  #list({ items, minItems = 0, maxItems = 3, uniqueItems }: Rules, name: string, depth: number): unknown[] {
    const length = this.random.int(minItems, Math.max(minItems, Math.min(maxItems, 3)));
    const list = Array.from({ length }, () => (items && depth < MAX_DEPTH ? this.valid(items, name, depth + 1) : 'x'));
    return uniqueItems ? [...new Set(list)] : list;
  }

  #object({ properties = {}, required = [] }: Rules, depth: number): Record<string, unknown> {
    const names = Object.keys(properties).filter(
      (name) => required.includes(name) || (depth < MAX_DEPTH && this.random.chance(0.35)),
    );
    return Object.fromEntries(names.map((name) => [name, this.valid(properties[name]!, name, depth + 1)]));
  }

  #text({ example, format, pattern, minLength = 0, maxLength = 100 }: Rules): string {
    const { random } = this;
    const hex = (length: number): string => Array.from({ length }, () => random.int(0, 15).toString(16)).join('');
    if (format === 'uuid') return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
    if (format === 'date-time')
      return random.pick(['2099-01-01T00:00:00Z', '2038-01-19T03:14:08.5Z', '2100-02-28T23:59:59Z']);
    if (pattern !== undefined) {
      const fitting = [`a${hex(8)}`, hex(64), 'builtin/flite'].filter((text) => new RegExp(pattern).test(text));
      return random.pick(fitting.length > 0 ? fitting : ['a']).slice(0, Math.max(maxLength, 1));
    }
    if (typeof example === 'string' && random.chance(0.5)) return example;
    return random
      .pick([...WORDS, hex(12)])
      .slice(0, Math.max(maxLength, 1))
      .padEnd(minLength, 'x');
  }
}

/** Without a type in the schema, every value fits. */
function isOfType(value: unknown, types: readonly string[]): boolean {
  const type = Array.isArray(value) ? 'array' : typeof value;
  return types.length === 0 || types.includes(type) || (types.includes('integer') && Number.isInteger(value));
}

/** A JSON text that no field expects. */
export const hostileText = (random: RandomNumbers): string => random.pick(HOSTILE_JSON);

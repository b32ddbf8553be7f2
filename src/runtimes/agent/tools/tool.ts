import type { Answer, Question } from '../../turn.ts';

/** An error that the model gets as the result of its call. */
export class ToolError extends Error {
  override name = 'ToolError';
}

/** The result of an effect that may or may not have happened. */
export const unknownOutcome = (reason: string): string =>
  `Unknown outcome: ${reason}. It may have happened or not, and it was not repeated. Check before you do it again.`;

export interface ToolContext {
  /** Aborted when the turn ends. */
  readonly signal: AbortSignal;
  readonly ask: (question: Question) => Promise<Answer>;
}

/** A call whose arguments are valid. */
export interface PreparedCall {
  /** Whether the call changes something. The intent of such a call is recorded before the call runs. */
  readonly hasEffect: boolean;
  /** The permission that the user is asked for; absent if the call needs none. */
  readonly permission?: ToolPermission;
  run(context: ToolContext): Promise<string>;
}

export interface ToolPermission {
  /** Identifies the scope of "always"; stored in the state of the session. */
  readonly scope: string;
  /** The scope of "always", as text for the user. */
  readonly covers: string;
  /**
   * Everything that the call does or sends, as text for the user. Texts of the model in it are formatted by `shown`.
   */
  readonly operation: string;
  /** Texts in which the egress proxy replaces placeholders by secrets. */
  readonly filled?: readonly string[];
  /** The host to which the request is sent. */
  readonly host?: string;
}

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Throws a ToolError for invalid arguments. */
  prepare(args: Arguments): PreparedCall;
}

/** The arguments of a call. A model wrote them, so they may contain anything. */
export class Arguments {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(json: string) {
    let value: unknown;
    try {
      value = json.trim() === '' ? {} : JSON.parse(json);
    } catch {
      throw new ToolError('The arguments are not valid JSON');
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ToolError('The arguments must be a JSON object');
    this.#values = value as Record<string, unknown>;
  }

  text(name: string, maxCharacters: number): string {
    const value = this.optionalText(name, maxCharacters);
    if (value === undefined) throw new ToolError(`${name} is required`);
    return value;
  }

  optionalText(name: string, maxCharacters: number): string | undefined {
    const value = this.#values[name] ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value !== 'string') throw new ToolError(`${name} must be a string`);
    if (value.length > maxCharacters) throw new ToolError(`${name} must have at most ${maxCharacters} characters`);
    return value;
  }

  flag(name: string): boolean {
    const value = this.#values[name] ?? false;
    if (typeof value !== 'boolean') throw new ToolError(`${name} must be true or false`);
    return value;
  }

  integer(name: string, { min, max, absent }: { min: number; max: number; absent: number }): number {
    const value = this.#values[name] ?? absent;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min || value > max)
      throw new ToolError(`${name} must be an integer from ${min} to ${max}`);
    return value;
  }

  list(name: string, maxItems: number): readonly unknown[] {
    const value = this.#values[name] ?? [];
    if (!Array.isArray(value) || value.length > maxItems)
      throw new ToolError(`${name} must be a list of at most ${maxItems} items`);
    return value as unknown[];
  }

  entries(name: string, maxEntries: number): readonly (readonly [string, string])[] {
    const value = this.#values[name] ?? {};
    if (typeof value !== 'object' || Array.isArray(value)) throw new ToolError(`${name} must be an object`);
    const entries = Object.entries(value);
    if (entries.length > maxEntries) throw new ToolError(`${name} must have at most ${maxEntries} members`);
    if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string'))
      throw new ToolError(`The members of ${name} must be strings`);
    return entries;
  }
}

/** The schema of an object with these members. */
export const objectSchema = (
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
): Readonly<Record<string, unknown>> => ({ type: 'object', properties, required, additionalProperties: false });

/**
 * A setting that an action changed, with the old and the new value as text; null = not set. The values of secrets are
 * omitted.
 */
export interface SettingChange {
  /** The API's name of the setting. A dot separates an object from its member. */
  readonly setting: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly secret: boolean;
}

/** Settings by their API names. */
export type Settings = Readonly<Record<string, unknown>>;

/** The number and length of changes are limited, because entries are never deleted. */
const MAX_CHANGES = 40;
const MAX_CHARACTERS = 256;
const MAX_DEPTH = 4;

/**
 * Returns the differences between two states. `before` is undefined for a new object. For a new object, all settings
 * with a value other than false are listed. `secrets`: the names of secrets that were replaced.
 */
export function changedSettings(
  before: Settings | undefined,
  after: Settings,
  secrets: readonly string[] = [],
): SettingChange[] {
  const [from, to] = [textsOf(before ?? {}), textsOf(after)];
  const names = [...new Set([...from.keys(), ...to.keys()])];
  const changed = names
    .map((setting) => ({ setting, from: from.get(setting) ?? null, to: to.get(setting) ?? null, secret: false }))
    .filter((change) => change.from !== change.to && (before !== undefined || change.to !== 'false'));
  const replaced = secrets.map((setting) => ({ setting, from: null, to: null, secret: true }));
  return [...changed, ...replaced]
    .slice(0, MAX_CHANGES)
    .map((change) => ({ ...change, from: cut(change.from), to: cut(change.to) }));
}

/** Each value by its path. Unset values are omitted. */
function textsOf(settings: Settings, path = '', depth = 1): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(settings)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (value === null || value === undefined) continue;
    if (isObject(value) && depth < MAX_DEPTH)
      for (const [inner, text] of textsOf(value, at, depth + 1)) texts.set(inner, text);
    else texts.set(at, textOf(value));
  }
  return texts;
}

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  return JSON.stringify(value);
}

/** Shortens a text without splitting a surrogate pair. Removes NUL, which PostgreSQL's JSON cannot store. */
function cut(text: string | null): string | null {
  if (text === null) return null;
  const whole = text.toWellFormed().replaceAll('\0', '');
  if (whole.length <= MAX_CHARACTERS) return whole;
  return `${whole.slice(0, MAX_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

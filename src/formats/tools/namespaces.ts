import { createHash } from 'node:crypto';
import { elementsIn, isObject, membersOf, textOf, type Members } from '../members.js';

/** A function in a group (namespace), by its names in the caller's request. */
interface GroupedName {
  readonly namespace: string;
  readonly name: string;
}

/** The functions in the groups of the caller's request, by the names that are sent to the vendor. */
export type ToolNames = ReadonlyMap<string, GroupedName>;

/** The maximum length that all formats allow. */
const MAX_NAME_CHARACTERS = 64;
const HASH_CHARACTERS = 8;
const UNUSABLE = /[^A-Za-z0-9_-]/g;
/** Types of items that call a function. */
const CALLS: ReadonlySet<unknown> = new Set(['function_call', 'custom_tool_call']);

/**
 * A `/responses` request in which the functions of each group replace the group. Other members refer to the functions
 * by their new names.
 */
interface FlatRequest {
  /** The members that differ from the caller's request. */
  readonly members: Members;
  readonly names: ToolNames;
}

/** Replaces each group by its functions, under unique names. */
export function withoutNamespaces({ tools, input, tool_choice: choice }: Members): FlatRequest {
  const list = elementsIn(tools);
  const taken = new Set(list.map((tool) => textOf(membersOf(tool)['name'])));
  const names = new Map<string, GroupedName>();
  const flatNames = new Map<string, string>();
  const flatName = (namespace: string, name: string): string => {
    const key = JSON.stringify([namespace, name]);
    let flat = flatNames.get(key);
    if (flat !== undefined) return flat;
    flat = usableName(namespace, name);
    if (taken.has(flat)) flat = hashedName(flat, key);
    taken.add(flat);
    flatNames.set(key, flat);
    names.set(flat, { namespace, name });
    return flat;
  };
  const flatTools = list.flatMap((value) => {
    const { type, name: namespace, tools: inner } = membersOf(value);
    if (textOf(type)?.toLowerCase() !== 'namespace' || !Array.isArray(inner)) return [value];
    return (inner as unknown[]).map((tool) => {
      const { name } = membersOf(tool);
      return typeof name === 'string' ? { ...membersOf(tool), name: flatName(textOf(namespace) ?? '', name) } : tool;
    });
  });
  const flatItem = (item: unknown): unknown => {
    const { type, namespace, name, ...rest } = membersOf(item);
    if (!CALLS.has(type) || typeof namespace !== 'string' || typeof name !== 'string') return item;
    return { type, ...rest, name: flatName(namespace, name) };
  };
  return {
    members: {
      tools: flatTools,
      ...(Array.isArray(input) ? { input: (input as unknown[]).map(flatItem) } : {}),
      ...(isObject(choice) ? { tool_choice: flatChoice(choice, flatName, namesOfFunctions(names)) } : {}),
    },
    names,
  };
}

/**
 * `tool_choice` with the names that are sent to the vendor. The caller names the group and the function, or only the
 * function.
 */
function flatChoice(
  choice: Members,
  flatName: (namespace: string, name: string) => string,
  byFunction: ReadonlyMap<string, string | undefined>,
): Members {
  const { namespace, name, tools, ...rest } = choice;
  if (Array.isArray(tools)) {
    const flat = (tools as unknown[]).map((tool) => flatChoice(membersOf(tool), flatName, byFunction));
    return { ...choice, tools: flat };
  }
  if (typeof name !== 'string') return choice;
  if (typeof namespace === 'string') return { ...rest, name: flatName(namespace, name) };
  return { ...choice, name: byFunction.get(name) ?? name };
}

/**
 * Maps the name of each function in a group to the name that is sent to the vendor, or to undefined if functions of
 * several groups have the same name.
 */
function namesOfFunctions(names: ToolNames): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const [flat, { name }] of names) found.set(name, found.has(name) ? undefined : flat);
  return found;
}

/** A vendor's item with the names of the function in the caller's request; the same object if they were not changed. */
export function restoredCall(item: Members, names: ToolNames | undefined): Members {
  const grouped = names && CALLS.has(item['type']) ? names.get(String(item['name'])) : undefined;
  return grouped ? { ...item, ...grouped } : item;
}

function usableName(namespace: string, name: string): string {
  const plain = `${namespace}${namespace.endsWith('__') ? '' : '__'}${name}`;
  const usable = plain.replace(UNUSABLE, '_');
  return usable === plain && plain.length <= MAX_NAME_CHARACTERS ? plain : hashedName(usable, plain);
}

const hashedName = (name: string, hashed: string): string =>
  `${name.slice(0, MAX_NAME_CHARACTERS - HASH_CHARACTERS - 1)}_` +
  createHash('sha256').update(hashed).digest('hex').slice(0, HASH_CHARACTERS);

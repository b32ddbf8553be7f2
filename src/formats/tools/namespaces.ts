import { createHash } from 'node:crypto';
import { isObject, membersOf, textOf, type Members } from '../members.js';

/** A function of a group, by the name under which it is sent. */
export interface GroupedName {
  readonly namespace: string;
  readonly name: string;
}

export type ToolNames = ReadonlyMap<string, GroupedName>;

/** As long as all formats allow. */
const MAX_NAME_CHARACTERS = 64;
const HASH_CHARACTERS = 8;
const UNUSABLE = /[^A-Za-z0-9_-]/g;
/** Items that call a function. */
const CALLS: ReadonlySet<unknown> = new Set(['function_call', 'custom_tool_call']);

/** The tools of a request of `/responses` without groups, and what else names them. */
export interface FlatRequest {
  /** The members that differ. */
  readonly members: Members;
  readonly names: ToolNames;
}

/** Puts the functions of the groups in the place of the groups, each under a name that no other has. */
export function withoutNamespaces({ tools, input, tool_choice: choice }: Members): FlatRequest {
  const list = Array.isArray(tools) ? (tools as unknown[]) : [];
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

/** The choice of a function of a group names the group, or the function alone. */
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

/** The names under which functions of groups are sent; undefined for a function of several groups. */
function namesOfFunctions(names: ToolNames): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>();
  for (const [flat, { name }] of names) found.set(name, found.has(name) ? undefined : flat);
  return found;
}

/** An item that a vendor sent, under the name that the caller knows: the same object where that is its own. */
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

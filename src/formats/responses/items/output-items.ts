import { elementsIn, isObject, isSet, membersOf, type Members } from '../../members.js';

/** Types of items in which the model calls a tool. */
export const TOOL_CALLS: ReadonlySet<unknown> = new Set([
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'computer_call',
]);

/** Adds the members that clients need to a vendor's item. Returns the same object if nothing is missing. */
export function normalisedItem(item: Members): Members {
  switch (item['type']) {
    case 'message':
      return withDefaults(withContent(item), { role: 'assistant', status: 'completed', content: [] });
    case 'function_call':
      return withDefaults(item, { id: `fc_${String(item['call_id'])}`, arguments: '', status: 'completed' });
    case 'reasoning':
      return withDefaults(item, { summary: [] });
    default:
      return item;
  }
}

function withContent(item: Members): Members {
  const { content } = item;
  if (!Array.isArray(content)) return item;
  const normalised = (content as unknown[]).map((part) => (isObject(part) ? normalisedPart(part) : part));
  return normalised.some((part, index) => part !== content[index]) ? { ...item, content: normalised } : item;
}

/** Adds the members that clients need to a part of a message. */
export const normalisedPart = (part: Members): Members =>
  part['type'] === 'output_text' ? withDefaults(part, { text: '', annotations: [] }) : part;

function withDefaults(members: Members, defaults: Members): Members {
  let normalised = members;
  for (const [name, value] of Object.entries(defaults))
    if (!isSet(members[name])) normalised = { ...normalised, [name]: value };
  return normalised;
}

/** All text that the model wrote in an item. Used to count tokens if the vendor reports none. */
export function textsOfItem({ content, summary, name, arguments: args, input }: Members): string[] {
  const parts = [content, summary].flatMap((list) => elementsIn(list).map(membersOf));
  return [...parts.flatMap(({ text, refusal }) => [text, refusal]), name, args, input].filter(
    (text): text is string => typeof text === 'string' && text !== '',
  );
}

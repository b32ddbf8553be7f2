import { elementsIn, membersOf, type Members } from '../members.js';

const MAX_QUOTED_CHARACTERS = 64;
/** Blocks that the canonical form can express. */
const CARRIED_BLOCKS: ReadonlySet<unknown> = new Set([
  'text',
  'image',
  'document',
  'search_result',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
]);
/** Members that request functions which the canonical form cannot express. */
const UNCARRIED_MEMBERS = ['mcp_servers', 'container'];

/**
 * Returns an error message for the first member, tool or block that only a vendor of this format can read; undefined if
 * there is none.
 */
export function conversionRefusal(body: Members): string | undefined {
  const member = UNCARRIED_MEMBERS.find((name) => !isEmpty(body[name]));
  if (member !== undefined) return `${member} cannot be sent to the provider of this model`;
  const { tools, messages } = body;
  for (const [index, tool] of elementsIn(tools).entries()) {
    const { type } = membersOf(tool);
    if (type !== undefined && type !== null && type !== 'custom') return refusalOf(`tools[${index}]`, 'tools', type);
  }
  for (const [index, message] of elementsIn(messages).entries()) {
    const refusal = refusalIn(membersOf(message)['content'], `messages[${index}].content`);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function refusalIn(content: unknown, path: string): string | undefined {
  for (const [index, value] of elementsIn(content).entries()) {
    const { type, content: inner } = membersOf(value);
    if (!CARRIED_BLOCKS.has(type)) return refusalOf(`${path}[${index}]`, 'blocks', type);
    const refusal = type === 'tool_result' ? refusalIn(inner, `${path}[${index}].content`) : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

export function refusalOf(path: string, what: 'blocks' | 'tools', type: unknown): string {
  const name = typeof type === 'string' ? type.slice(0, MAX_QUOTED_CHARACTERS) : 'unknown';
  return `${path}: ${what} of type ${name} cannot be sent to the provider of this model`;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

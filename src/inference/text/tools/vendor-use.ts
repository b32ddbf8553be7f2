import type { TextFormat } from '../../../formats/vendor-text.js';
import { elementsIn, isObject, membersOf, textOf, wholeNumber, type Members } from '../../../formats/members.js';
import { MAX_WEB_SEARCHES } from '../worst-case.js';
import { vendorAccountRefusal } from './vendor-account.js';
import { treatmentOf, type ToolTreatment } from './vendor-tools.js';

/** A tool that the vendor runs. */
export interface HostedTool {
  readonly path: string;
  /** In lower case, shortened to MAX_QUOTED_CHARACTERS. */
  readonly type: string;
  readonly treatment: Exclude<ToolTreatment, 'caller' | 'group'>;
  readonly why: string;
  /** The index in `tools`, if the request can be sent without this tool; otherwise undefined. */
  readonly index?: number;
}

/** The web searches that a request allows. */
interface AllowedSearches {
  /** The maximum number of searches, with MAX_WEB_SEARCHES in place of a missing limit; 0 without a search tool. */
  readonly max: number;
  /** Whether the request has a search tool without a limit. */
  readonly isUnbounded: boolean;
}

/** The features of the vendor that a request uses in addition to text generation. */
export interface VendorUse {
  /** The reason why the request cannot be sent with the platform's credential; undefined = it can. */
  readonly refusal: string | undefined;
  readonly hosted: readonly HostedTool[];
  /** Whether the request has groups of tools, which some endpoints do not support. */
  readonly hasNamespaces: boolean;
  readonly searches: AllowedSearches;
}

const MAX_QUOTED_CHARACTERS = 64;

/** Undefined if any endpoint can receive the request unchanged, which is the usual case. */
export function readVendorUse(format: TextFormat, body: Members): VendorUse | undefined {
  const refusal = vendorAccountRefusal(format, body);
  const hosted: HostedTool[] = [];
  const tools = elementsIn(body['tools']);
  let hasNamespaces = false;
  const isDroppable = format === 'responses' && droppableTest(body['tool_choice']);
  for (let index = 0; index < tools.length; index++) {
    const tool = membersOf(tools[index]);
    const found = hostedTool(format, tool, `tools[${index}]`);
    if (found) hosted.push(isDroppable && isDroppable(found.type) ? { ...found, index } : found);
    if (format !== 'responses' || treatmentOf(format, String(tool['type'])).treatment !== 'group') continue;
    hasNamespaces = true;
    hosted.push(...hostedIn(format, tool['tools'], `tools[${index}].tools`, true));
  }
  if (format === 'responses') hosted.push(...hostedInItems(body['input']));
  if (format === 'messages') hosted.push(...hostedInMessages(body['messages']));
  if (refusal === undefined && hosted.length === 0 && !hasNamespaces) return undefined;
  return { refusal, hosted, hasNamespaces, searches: allowedSearches(format, body, hosted) };
}

function hostedTool(format: TextFormat, tool: Members, path: string, isInGroup = false): HostedTool | undefined {
  const { type, environment } = tool;
  // A vendor whose parser ignores case could read another `type` than this service.
  const isAmbiguous = Object.keys(tool).some((name) => name !== 'type' && name.toLowerCase() === 'type');
  if (format === 'messages' && (type === undefined || type === null) && !isAmbiguous) return undefined;
  const name = String(textOf(type)).trim().toLowerCase();
  const row = treatmentOf(format, name);
  const isLocal = format === 'responses' && name === 'shell' && membersOf(environment)['type'] === 'local';
  const treatment = isAmbiguous ? 'refused' : isLocal ? 'caller' : row.treatment;
  if (treatment === 'caller' || (treatment === 'group' && !isInGroup)) return undefined;
  const quoted = name.slice(0, MAX_QUOTED_CHARACTERS);
  return { path, type: quoted, treatment: treatment === 'group' ? 'refused' : treatment, why: row.why };
}

const hostedIn = (format: TextFormat, tools: unknown, path: string, isInGroup = false): HostedTool[] =>
  elementsIn(tools).flatMap((tool, index) => hostedTool(format, membersOf(tool), `${path}[${index}]`, isInGroup) ?? []);

/** The hosted tools in items, because items may add tools to a conversation. */
function hostedInItems(input: unknown): HostedTool[] {
  return elementsIn(input).flatMap((item, index) => {
    const { tools } = membersOf(item);
    const path = `input[${index}].tools`;
    if (!Array.isArray(tools)) return [];
    const inner = (tools as unknown[]).flatMap((tool, at) =>
      hostedIn('responses', membersOf(tool)['tools'], `${path}[${at}].tools`, true),
    );
    return [...hostedIn('responses', tools, path), ...inner];
  });
}

/** The hosted tools in blocks, because blocks may add tools to a conversation. */
function hostedInMessages(messages: unknown): HostedTool[] {
  const found: HostedTool[] = [];
  const visit = (blocks: unknown, path: string): void => {
    for (const [index, value] of elementsIn(blocks).entries()) {
      const { type, tool, content, tool_changes: changes } = membersOf(value);
      const at = `${path}[${index}]`;
      if (type === 'tool_addition') {
        const { definition, type: kind } = membersOf(tool);
        // The request does not define the tools of an MCP server, but only names the server.
        const isOfServer = String(kind).toLowerCase().startsWith('mcp_');
        const added = isObject(definition) ? definition : isOfServer ? { type: 'mcp_toolset' } : undefined;
        const hosted = added && hostedTool('messages', added, `${at}.tool`);
        // A search tool that a block adds is refused, because the number of its searches is not limited.
        if (hosted) found.push(hosted.treatment === 'search' ? { ...hosted, treatment: 'refused' } : hosted);
      }
      if (type === 'tool_result') visit(content, `${at}.content`);
      visit(changes, `${at}.tool_changes`);
    }
  };
  for (const [index, message] of elementsIn(messages).entries())
    visit(membersOf(message)['content'], `messages[${index}].content`);
  return found;
}

/**
 * Returns a function that tests whether tools of a type may be omitted. A tool may not be omitted if `tool_choice`
 * requires that the model calls it.
 */
function droppableTest(choice: unknown): ((type: string) => boolean) | undefined {
  if (!isObject(choice)) return () => true;
  const { type, mode, tools } = choice;
  const chosen = String(textOf(type)).toLowerCase();
  if (chosen !== 'allowed_tools') return (tool) => tool !== chosen;
  if (mode !== 'required') return () => true;
  const required = new Set(elementsIn(tools).map((tool) => String(textOf(membersOf(tool)['type'])).toLowerCase()));
  return (tool) => !required.has(tool);
}

function allowedSearches(format: TextFormat, body: Members, hosted: readonly HostedTool[]): AllowedSearches {
  if (!hosted.some(({ treatment }) => treatment === 'search')) return { max: 0, isUnbounded: false };
  const isSearch = (tool: Members): boolean => treatmentOf(format, String(tool['type'])).treatment === 'search';
  const bounds =
    format === 'responses'
      ? [wholeNumber(body['max_tool_calls'])]
      : elementsIn(body['tools'])
          .map(membersOf)
          .filter(isSearch)
          .map((tool) => wholeNumber(tool['max_uses']));
  return {
    max: bounds.reduce<number>((sum, bound = MAX_WEB_SEARCHES) => sum + bound, 0),
    isUnbounded: bounds.includes(undefined),
  };
}

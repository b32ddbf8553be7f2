import type { TextFormat } from '../../../formats/vendor-text.js';
import { isObject, membersOf, textOf, wholeNumber, type Members } from '../../../formats/members.js';
import { withoutNamespaces, type ToolNames } from '../../../formats/tools/namespaces.js';
import type { HostedTool } from './vendor-use.js';
import { treatmentOf } from './vendor-tools.js';

/** The changes that an endpoint requires. */
interface ToolChanges {
  /** Tools that the endpoint does not serve. */
  readonly dropped: readonly HostedTool[];
  readonly withoutNamespaces: boolean;
  /** The number of web searches to allow if the request has no limit; undefined = no limit is added. */
  readonly searchBound: number | undefined;
}

/** A request whose tools were adapted to an endpoint. */
export interface AdaptedTools {
  /** All members of the body. */
  readonly members: Members;
  /** The names of the members that differ from the request. */
  readonly rewritten: readonly string[];
  /** Functions that were in groups, by the names under which they are sent. */
  readonly toolNames: ToolNames;
  /** The value for X-Gatehouse-Adjusted. */
  readonly adjusted: readonly string[] | undefined;
}

const NO_NAMES: ToolNames = new Map();

/** Undefined if the model must call a tool but no tool would remain. */
export function adaptTools(format: TextFormat, body: Members, changes: ToolChanges): AdaptedTools | undefined {
  const { dropped, searchBound } = changes;
  const changed: Record<string, unknown> = {};
  if (dropped.length > 0) {
    const places = new Set(dropped.map(({ index }) => index));
    const tools = (body['tools'] as readonly unknown[]).filter((_, index) => !places.has(index));
    if (tools.length === 0 && body['tool_choice'] === 'required') return undefined;
    changed['tools'] = tools;
    if (isObject(body['tool_choice'])) changed['tool_choice'] = choiceWithout(body['tool_choice'], dropped);
  }
  if (searchBound !== undefined) Object.assign(changed, boundedSearches(format, { ...body, ...changed }, searchBound));
  let toolNames = NO_NAMES;
  if (changes.withoutNamespaces) {
    const { members, names } = withoutNamespaces({ ...body, ...changed });
    Object.assign(changed, members);
    toolNames = names;
  }
  const types = [...new Set(dropped.map(({ type }) => type))];
  return {
    members: { ...body, ...changed },
    rewritten: Object.keys(changed),
    toolNames,
    adjusted: types.length > 0 ? [`tools=${types.map(headerText).join(',')}`] : undefined,
  };
}

/** Sanitised, because the caller chose the type of the tool. */
const headerText = (type: string): string => type.replace(/[^\w.:-]/g, '_');

/** A choice among allowed tools, without the dropped ones. If no allowed tool remains, the model calls none. */
function choiceWithout(choice: Members, dropped: readonly HostedTool[]): unknown {
  const { tools } = choice;
  if (!Array.isArray(tools)) return choice;
  const types = new Set(dropped.map(({ type }) => type));
  const isLeft = (tool: unknown): boolean => !types.has(String(textOf(membersOf(tool)['type'])).toLowerCase());
  const left = (tools as unknown[]).filter(isLeft);
  return left.length === 0 ? 'none' : { ...choice, tools: left };
}

function boundedSearches(format: TextFormat, body: Members, bound: number): Members {
  if (format === 'responses') return { max_tool_calls: bound };
  const isUnbounded = (tool: Members): boolean =>
    treatmentOf(format, String(tool['type'])).treatment === 'search' && wholeNumber(tool['max_uses']) === undefined;
  const tools = (body['tools'] as readonly unknown[]).map((tool) =>
    isUnbounded(membersOf(tool)) ? { ...membersOf(tool), max_uses: bound } : tool,
  );
  return { tools };
}

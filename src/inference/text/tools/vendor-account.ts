import type { TextFormat } from '../../../formats/vendor-text.js';
import { isObject, isSet, membersOf, textOf, type Members } from '../../../formats/members.js';

const SEARCHES = 'searching the web is not available here';
const RUNS = 'the vendor charges for it separately, and its price is not known here';
const IN_ACCOUNT = "it refers to an object in the operator's account at the vendor";
const NOT_STORED = 'nothing is stored here, send the whole conversation';

/** Members of a body, in lower case, that are refused on the platform's credential, with the reason. */
const REFUSED_MEMBERS: ReadonlyMap<string, string> = new Map([
  ...[
    'web_search_options',
    'enable_search',
    'search_options',
    'search_parameters',
    'search_settings',
    'web_search',
    'enable_enhancement',
    'force_search_enhancement',
    '$web_search',
    'browser_search',
  ].map((name) => [name, SEARCHES] as const),
  ...['extra_body', 'enable_code_interpreter', 'compound_custom', 'connectors'].map((name) => [name, RUNS] as const),
  ...[
    'container',
    'mcp_servers',
    'connector_id',
    'vector_store_ids',
    'tool_resources',
    'assistant_id',
    'thread_id',
  ].map((name) => [name, IN_ACCOUNT] as const),
  ['previous_response_id', NOT_STORED],
]);
/** Members that are refused in `/responses` only, because their names mean something else in other formats. */
const REFUSED_RESPONSES_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['conversation', NOT_STORED],
  ['prompt', NOT_STORED],
]);
const IDS: ReadonlySet<string> = new Set(['file_id', 'container_id', 'connector_id', 'vector_store_id']);
const MAX_DEPTH = 8;

/** Null, false and empty values request nothing. */
function requestsNothing(value: unknown, name: string): boolean {
  if (!isSet(value) || value === false || (Array.isArray(value) && value.length === 0)) return true;
  if (!isObject(value)) return false;
  return value['mode'] === 'off' || (name === 'extra_body' && Object.keys(value).length === 0);
}

/**
 * Names the first member, item, block or message that makes the vendor do work without a price here, or that refers to
 * an object in an account at the vendor; undefined if there is none.
 */
export function vendorAccountRefusal(format: TextFormat, body: Members): string | undefined {
  for (const name of Object.keys(body)) {
    const lower = name.toLowerCase();
    const why =
      REFUSED_MEMBERS.get(lower) ?? (format === 'responses' ? REFUSED_RESPONSES_MEMBERS.get(lower) : undefined);
    if (why !== undefined && !requestsNothing(body[name], lower)) return `${name}: ${why}`;
  }
  if (format === 'responses') return firstIn(body['input'], 'input', itemRefusal);
  return firstIn(body['messages'], 'messages', format === 'chat' ? soundRefusal : messageRefusal);
}

function firstIn(
  list: unknown,
  path: string,
  refusalOf: (value: Members, path: string) => string | undefined,
): string | undefined {
  if (!Array.isArray(list)) return undefined;
  for (let index = 0; index < list.length; index++) {
    const refusal = refusalOf(membersOf(list[index]), `${path}[${index}]`);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Refuses audio that is named by an id, because the id refers to audio of an earlier response at the vendor. */
const soundRefusal = ({ audio }: Members, path: string): string | undefined =>
  isSet(membersOf(audio)['id']) ? `${path}.audio.id: ${IN_ACCOUNT}, send the text` : undefined;

function itemRefusal(item: Members, path: string): string | undefined {
  if (textOf(item['type'])?.toLowerCase() === 'item_reference')
    return (
      `${path}: items of type item_reference are not possible, because nothing is stored here. ` +
      'With store: false, clients send the items themselves.'
    );
  const id = idIn(item);
  if (id === undefined) return undefined;
  return id === 'file_id'
    ? `${path}: file_id is not possible here, send file_data, file_url or image_url`
    : `${path}: ${id} is not possible here, ${IN_ACCOUNT}`;
}

/**
 * Returns the name of the first member of a value that refers to a vendor's object by its id. Citations are ignored,
 * because the vendor does not read the files that they name.
 */
function idIn(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const lower = name.toLowerCase();
    if (IDS.has(lower) && isSet(member)) return lower;
    const inner = lower === 'annotations' ? undefined : idIn(member, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const messageRefusal = ({ content }: Members, path: string): string | undefined =>
  firstIn(content, `${path}.content`, blockRefusal);

function blockRefusal(block: Members, path: string, depth = 0): string | undefined {
  const { type, source, content, file_id: fileId } = block;
  const { type: sourceType, file_id: sourceId, content: inner } = membersOf(source);
  if (sourceType === 'file' || typeof sourceId === 'string' || typeof fileId === 'string')
    return `${path}: files by id are not available in this format, send the file as base64`;
  // The arguments of a tool call may have members of any name, so ids in them are ignored.
  if (type === 'tool_use' || depth > MAX_DEPTH) return undefined;
  const deeper = (value: Members, at: string): string | undefined => blockRefusal(value, at, depth + 1);
  const nested = isObject(content) ? deeper(content, `${path}.content`) : firstIn(content, `${path}.content`, deeper);
  return nested ?? firstIn(inner, `${path}.source.content`, deeper);
}

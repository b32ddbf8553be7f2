import { type Members, isObject, isSet } from '../../formats/members.js';
import { checkOwnMembers } from '../../text-edge/own-text-members.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { ResponsesRequestBody } from './dto/responses.request.dto.js';

const MAX_ITEMS = 100_000;
const MAX_METADATA_PAIRS = 16;
const MAX_TOOL_NAME_CHARACTERS = 128;
const MAX_TOOL_DEPTH = 8;

/**
 * Checks rules that concern several members or the values inside one member. Throws invalid_request. `members`: all
 * members of the body.
 */
export function checkResponses(body: ResponsesRequestBody, members: Members): void {
  checkOwnMembers(body, members['preset']);
  checkItems(body.input);
  body.tools?.forEach((tool, index) => checkTool(tool, `tools[${index}]`));
  checkToolChoice(members['tool_choice']);
  checkText(body.text);
  checkMetadata(members['metadata'] as ResponsesRequestBody['metadata']);
  if (body.store === true) throw invalidRequest('store: responses are not stored here, send false');
  if (body.background === true) throw invalidRequest('background: responses are not stored here, send false');
}

function checkItems(input: unknown): void {
  if (typeof input === 'string') return;
  if (!Array.isArray(input) || input.length === 0 || input.length > MAX_ITEMS)
    throw invalidRequest(`input must be a string or an array of 1 to ${MAX_ITEMS} items`);
  input.forEach((item, index) => checkItem(item, `input[${index}]`));
}

function checkItem(item: unknown, path: string): void {
  if (!isObject(item)) throw invalidRequest(`${path} must be an object`);
  const { type } = item;
  if (isSet(type) && typeof type !== 'string') throw invalidRequest(`${path}.type must be a string`);
  if (!isSet(type) || type === 'message') {
    if (typeof item['role'] !== 'string') throw invalidRequest(`${path}.role must be a string`);
    if (typeof item['content'] !== 'string' && !Array.isArray(item['content']))
      throw invalidRequest(`${path}.content must be a string or an array of parts`);
  }
}

function checkTool(tool: unknown, path: string, depth = 0): void {
  if (!isObject(tool) || typeof tool['type'] !== 'string') throw invalidRequest(`${path}.type must be a string`);
  const { type, name, parameters, tools } = tool;
  // A namespace contains its own tools.
  if (Array.isArray(tools) && depth < MAX_TOOL_DEPTH)
    tools.forEach((inner, index) => checkTool(inner, `${path}.tools[${index}]`, depth + 1));
  if (type !== 'function') return;
  if (typeof name !== 'string' || name === '' || name.length > MAX_TOOL_NAME_CHARACTERS)
    throw invalidRequest(`${path}.name must be a string of 1 to ${MAX_TOOL_NAME_CHARACTERS} characters`);
  if (isSet(parameters) && !isObject(parameters)) throw invalidRequest(`${path}.parameters must be an object`);
}

function checkToolChoice(choice: unknown): void {
  if (!isSet(choice) || choice === 'none' || choice === 'auto' || choice === 'required') return;
  if (!isObject(choice) || typeof choice['type'] !== 'string')
    throw invalidRequest('tool_choice must be none, auto, required, or a tool');
}

function checkText(text: unknown): void {
  const format = isObject(text) ? text['format'] : undefined;
  if (!isSet(format)) return;
  if (!isObject(format) || typeof format['type'] !== 'string')
    throw invalidRequest('text.format must be an object with a type');
  if (format['type'] === 'json_schema' && !isObject(format['schema']))
    throw invalidRequest('text.format.schema must be an object');
}

function checkMetadata(metadata: object | null | undefined): void {
  const values: unknown[] = Object.values(metadata ?? {});
  if (values.length > MAX_METADATA_PAIRS || !values.every((value) => typeof value === 'string'))
    throw invalidRequest(`metadata must have at most ${MAX_METADATA_PAIRS} pairs, with strings as values`);
}

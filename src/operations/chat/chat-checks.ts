import { isObject, isSet, type Members } from '../../formats/members.js';
import { checkOwnMembers, checkStop } from '../../text-edge/own-text-members.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { ChatRequestBody } from './dto/chat.request.dto.js';

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);
const MAX_TOOL_NAME_CHARACTERS = 64;
const MAX_METADATA_PAIRS = 16;
const MAX_METADATA_NAME_CHARACTERS = 64;
const MAX_METADATA_VALUE_CHARACTERS = 512;
const MODALITIES = new Set(['text', 'image', 'audio']);
/**
 * For each type of part, the name of the member that contains the content. If this member is an object, `inner` names
 * a string that the object must have; null = no such string.
 */
const MEMBERS_OF_PART: ReadonlyMap<string, readonly [member: string, inner: string | null]> = new Map([
  ['text', ['text', null]],
  ['image_url', ['image_url', 'url']],
  ['input_audio', ['input_audio', 'data']],
  ['video_url', ['video_url', 'url']],
  ['file', ['file', null]],
]);
/** The number of leading characters that are searched for the colon of a URL. Every scheme is shorter. */
const SCHEME_CHARACTERS = 16;

/**
 * Checks rules that concern several members or the values inside one member. Throws invalid_request. `members`: all
 * members of the body, including undeclared members.
 */
export function checkChat(body: ChatRequestBody, members: Members): void {
  body.messages.forEach((message, index) => checkMessage(message, `messages[${index}]`));
  body.tools?.forEach((tool, index) => checkTool(tool, `tools[${index}]`));
  checkToolChoice(members['tool_choice']);
  checkStop(members['stop']);
  checkLogitBias(body.logit_bias);
  checkResponseFormat(body.response_format);
  checkCacheControl(body.cache_control);
  checkMetadata(members['metadata'] as ChatRequestBody['metadata']);
  checkOwnMembers(body, members['preset']);
  for (const modality of body.modalities ?? [])
    if (!MODALITIES.has(modality)) throw invalidRequest('modalities must contain only text, image and audio');
  if (body.modalities?.includes('audio') && body.stream !== true)
    throw invalidRequest('modalities with audio require stream: true');
  checkUnbuilt(members);
}

function checkMessage(message: unknown, path: string): void {
  if (!isObject(message)) throw invalidRequest(`${path} must be an object`);
  const { role, content } = message;
  if (typeof role !== 'string' || !ROLES.has(role))
    throw invalidRequest(`${path}.role must be one of ${[...ROLES].join(', ')}`);
  const mayBeEmpty = role === 'assistant';
  if (Array.isArray(content)) content.forEach((part, index) => checkPart(part, `${path}.content[${index}]`));
  else if (typeof content !== 'string' && !(mayBeEmpty && !isSet(content)))
    throw invalidRequest(`${path}.content must be a string or an array of parts`);
  if (role === 'tool' && typeof message['tool_call_id'] !== 'string')
    throw invalidRequest(`${path}.tool_call_id must be a string`);
  if (role === 'assistant') checkToolCalls(message['tool_calls'], `${path}.tool_calls`);
}

function checkToolCalls(calls: unknown, path: string): void {
  if (!isSet(calls)) return;
  if (!Array.isArray(calls)) throw invalidRequest(`${path} must be an array`);
  calls.forEach((call, index) => {
    const { id, function: called } = isObject(call) ? call : {};
    if (typeof id !== 'string') throw invalidRequest(`${path}[${index}].id must be a string`);
    if (isObject(call) && call['type'] !== undefined && call['type'] !== 'function') return;
    if (!isObject(called) || typeof called['name'] !== 'string' || typeof called['arguments'] !== 'string')
      throw invalidRequest(`${path}[${index}].function must have a name and arguments, both strings`);
  });
}

function checkPart(part: unknown, path: string): void {
  if (!isObject(part) || typeof part['type'] !== 'string') throw invalidRequest(`${path}.type must be a string`);
  const needed = MEMBERS_OF_PART.get(part['type']);
  if (!needed) return;
  const [member, inner] = needed;
  const value = part[member];
  if (part['type'] === 'text' ? typeof value !== 'string' : !isObject(value))
    throw invalidRequest(`${path}.${member} must be ${part['type'] === 'text' ? 'a string' : 'an object'}`);
  if (inner !== null && typeof (value as Members)[inner] !== 'string')
    throw invalidRequest(`${path}.${member}.${inner} must be a string`);
  if (inner === 'data' && (value as { data: string }).data.slice(0, SCHEME_CHARACTERS).includes(':'))
    throw invalidRequest(`${path}.${member}.${inner} must be base64, not a URL`);
}

function checkTool(tool: unknown, path: string): void {
  if (!isObject(tool) || typeof tool['type'] !== 'string') throw invalidRequest(`${path}.type must be a string`);
  const { type } = tool;
  if (type !== 'function') return;
  const called = tool['function'];
  const name = isObject(called) ? called['name'] : undefined;
  if (typeof name !== 'string' || name === '' || name.length > MAX_TOOL_NAME_CHARACTERS)
    throw invalidRequest(`${path}.function.name must be a string of 1 to ${MAX_TOOL_NAME_CHARACTERS} characters`);
  const parameters = (called as Members)['parameters'];
  if (isSet(parameters) && !isObject(parameters)) throw invalidRequest(`${path}.function.parameters must be an object`);
}

function checkToolChoice(choice: unknown): void {
  if (!isSet(choice) || choice === 'none' || choice === 'auto' || choice === 'required') return;
  if (!isObject(choice) || typeof choice['type'] !== 'string')
    throw invalidRequest('tool_choice must be none, auto, required, or a function by its name');
  const called = choice['function'];
  if (choice['type'] === 'function' && (!isObject(called) || typeof called['name'] !== 'string'))
    throw invalidRequest('tool_choice.function.name must be a string');
}

function checkResponseFormat(format: unknown): void {
  if (!isObject(format)) return;
  if (typeof format['type'] !== 'string') throw invalidRequest('response_format.type must be a string');
  const schema = format['json_schema'];
  if (format['type'] === 'json_schema' && (!isObject(schema) || typeof schema['name'] !== 'string'))
    throw invalidRequest('response_format.json_schema must be an object with a name');
}

function checkLogitBias(bias: object | null | undefined): void {
  if (Object.values(bias ?? {}).some((weight) => typeof weight !== 'number'))
    throw invalidRequest('logit_bias must have numbers as its values');
}

function checkCacheControl(control: unknown): void {
  if (!isObject(control)) return;
  const { type, ttl = null } = control;
  if (type !== 'ephemeral') throw invalidRequest('cache_control.type must be ephemeral');
  if (ttl !== null && ttl !== '5m' && ttl !== '1h') throw invalidRequest('cache_control.ttl must be 5m or 1h');
}

function checkMetadata(metadata: object | null | undefined): void {
  if (!metadata) return;
  const pairs = Object.entries(metadata) as [string, unknown][];
  if (pairs.length > MAX_METADATA_PAIRS) throw invalidRequest(`metadata must have at most ${MAX_METADATA_PAIRS} pairs`);
  for (const [name, value] of pairs) {
    if (name.length > MAX_METADATA_NAME_CHARACTERS)
      throw invalidRequest(`names in metadata must have at most ${MAX_METADATA_NAME_CHARACTERS} characters`);
    if (typeof value !== 'string' || value.length > MAX_METADATA_VALUE_CHARACTERS)
      throw invalidRequest(`values of metadata must be strings of at most ${MAX_METADATA_VALUE_CHARACTERS} characters`);
  }
}

/**
 * Refuses members that request functions that this service does not have. If they were ignored, the response would
 * differ without an error.
 */
function checkUnbuilt({ transforms }: Members): void {
  if (Array.isArray(transforms) && transforms.length > 0)
    throw invalidRequest('transforms: context-compression is not available here');
}

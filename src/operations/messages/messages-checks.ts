import { type Members, isObject, isSet } from '../../formats/members.js';
import type { OwnTextMembers } from '../../text-edge/own-text-members.dto.js';
import { checkOwnMembers } from '../../text-edge/own-text-members.js';
import { invalidRequest } from '../../kernel/errors/errors.js';

const ROLES = new Set(['user', 'assistant', 'system']);

/** The members of a request that are checked. */
interface CheckedBody extends OwnTextMembers {
  readonly messages: readonly object[];
  readonly fallbacks?: readonly object[] | null;
  readonly tools?: readonly object[] | null;
}

/**
 * Checks rules that concern several members or the values inside one member. Throws invalid_request. The conversion or
 * the vendor checks everything else. `members`: all members of the body.
 */
export function checkMessages(body: CheckedBody, members: Members): void {
  checkOwnMembers(body, members['preset']);
  body.messages.forEach((message, index) => checkMessage(message, `messages[${index}]`));
  checkContent(members['system'] ?? '', 'system');
  body.tools?.forEach((tool, index) => checkTool(tool, `tools[${index}]`));
  checkFallbacks(body);
  checkGeoAndSpeed(members);
}

function checkMessage(message: unknown, path: string): void {
  if (!isObject(message)) throw invalidRequest(`${path} must be an object`);
  const { role, content } = message;
  if (typeof role !== 'string' || !ROLES.has(role))
    throw invalidRequest(`${path}.role must be one of ${[...ROLES].join(', ')}`);
  checkContent(content, `${path}.content`);
}

function checkContent(content: unknown, path: string): void {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) throw invalidRequest(`${path} must be a string or an array of blocks`);
  content.forEach((block, index) => checkBlock(block, `${path}[${index}]`));
}

function checkBlock(block: unknown, path: string): void {
  if (!isObject(block) || typeof block['type'] !== 'string') throw invalidRequest(`${path}.type must be a string`);
  const { type, source, content } = block;
  if (type === 'tool_result' && content !== undefined && content !== null) checkContent(content, `${path}.content`);
  if (isObject(source) && Array.isArray(source['content'])) checkContent(source['content'], `${path}.source.content`);
}

function checkTool(tool: unknown, path: string): void {
  if (!isObject(tool)) throw invalidRequest(`${path} must be an object`);
  const { type } = tool;
  if (isSet(type) && typeof type !== 'string') throw invalidRequest(`${path}.type must be a string`);
}

function checkFallbacks({ fallbacks, models }: CheckedBody): void {
  if (!fallbacks) return;
  if (models) throw invalidRequest('fallbacks cannot be given together with models');
  fallbacks.forEach((fallback, index) => {
    const { model } = fallback as { readonly model?: unknown };
    if (typeof model !== 'string' || model === '') throw invalidRequest(`fallbacks[${index}].model must be a string`);
  });
}

/**
 * Checks `inference_geo` and `speed`. Regions other than `global` are refused, because they have prices of their own,
 * which no endpoint here has. `speed` selects a tier of an endpoint.
 */
function checkGeoAndSpeed({ speed, inference_geo: place }: Members): void {
  if (isSet(speed) && speed !== 'standard' && speed !== 'fast')
    throw invalidRequest('speed must be one of standard, fast');
  if (isSet(place) && place !== 'global') throw invalidRequest('inference_geo: only global is available here');
}

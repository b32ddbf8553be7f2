import type { Members } from '../../formats/members.js';
import { checkOwnMembers, checkStop } from '../../text-edge/own-text-members.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import type { CompletionRequestBody } from './dto/completion.request.dto.js';

/** The maximum number of choices that a request generates: prompts times the greater of `n` and `best_of`. */
const MAX_CHOICES = 1_024;
/** Vendors store token ids in 32 bits. */
const MAX_TOKEN_ID = 2_147_483_647;

/** Checks rules that concern several members or the values inside one member. Throws invalid_request. */
export function checkCompletion(body: CompletionRequestBody, members: Members): void {
  checkOwnMembers(body, members['preset']);
  const prompts = checkPrompt(body.prompt);
  const { n, best_of: best } = body;
  if (prompts * Math.max(n ?? 1, best ?? 1) > MAX_CHOICES)
    throw invalidRequest(`prompt, n and best_of must give at most ${MAX_CHOICES} choices`);
  if (n && best && best < n) throw invalidRequest('best_of must be at least n');
  checkStop(members['stop']);
}

const FORMS = 'prompt must be a string, token ids, or a list of either that is not empty';

/** Returns the number of prompts. */
function checkPrompt(prompt: unknown): number {
  if (typeof prompt === 'string') return 1;
  if (!Array.isArray(prompt) || prompt.length === 0) throw invalidRequest(FORMS);
  if (isTokenId(prompt[0])) return areTokenIds(prompt) ? 1 : refuse();
  const isText = typeof prompt[0] === 'string';
  const fits = (each: unknown): boolean => (isText ? typeof each === 'string' : areTokenIds(each));
  return prompt.every(fits) ? prompt.length : refuse();
}

const areTokenIds = (ids: unknown): boolean => Array.isArray(ids) && ids.length > 0 && ids.every(isTokenId);

const isTokenId = (id: unknown): boolean =>
  Number.isInteger(id) && (id as number) >= 0 && (id as number) <= MAX_TOKEN_ID;

function refuse(): never {
  throw invalidRequest(FORMS);
}

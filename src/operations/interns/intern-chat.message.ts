import { isObject } from '../../formats/members.js';
import type { AnswerMessage, TurnMessage } from '../../interns/intern-turns.js';
import { chatErrors } from '../../interns/intern-chat.errors.js';
import { isLongerThan } from '../../kernel/text/text.js';
import type { InternChatRequest } from './dto/intern-chat.request.dto.js';

const MAX_PROMPT_CHARACTERS = 32_000;
const MAX_CALL_ID_CHARACTERS = 256;

export type ReceivedMessage =
  { readonly role: 'user'; readonly message: TurnMessage } | { readonly role: 'tool'; readonly message: AnswerMessage };

/** Returns the last message of a request. Other messages are not read. Throws bad_request if the message is invalid. */
export function readMessage({ messages, session_id, approval_mode }: InternChatRequest): ReceivedMessage {
  const last = messages.at(-1);
  const role = isObject(last) ? last['role'] : undefined;
  if (!isObject(last) || (role !== 'user' && role !== 'tool'))
    throw chatErrors.badRequest('The last message must be an object with the role user or tool');
  const content = textOf(last['content']);
  const sessionId = session_id ?? undefined;
  if (role === 'user') {
    if (content.trim() === '') throw chatErrors.badRequest('The last message has no text');
    if (isLongerThan(content, MAX_PROMPT_CHARACTERS))
      throw chatErrors.badRequest(`The text of a message has at most ${MAX_PROMPT_CHARACTERS} characters`);
    return { role, message: { sessionId, text: content, approvalMode: approval_mode ?? undefined } };
  }
  if (sessionId === undefined) throw chatErrors.badRequest('An answer to a question requires session_id');
  const questionId = last['tool_call_id'];
  if (typeof questionId !== 'string' || questionId === '' || isLongerThan(questionId, MAX_CALL_ID_CHARACTERS))
    throw chatErrors.badRequest('tool_call_id must be the id of the tool call that asked');
  return { role, message: { sessionId, questionId, content } };
}

/** Returns the text of a content that is a string or an array of text parts. */
function textOf(content: unknown): string {
  const text = typeof content === 'string' ? content : Array.isArray(content) ? content.map(textOfPart).join('') : null;
  if (text === null) throw chatErrors.badRequest('The content of the last message must be text or text parts');
  if (/\p{Cs}/u.test(text)) throw chatErrors.badRequest('The content of the last message must be well-formed Unicode');
  return text;
}

function textOfPart(part: unknown): string {
  if (isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string') return part['text'];
  throw chatErrors.badRequest('The parts of the last message must be text parts');
}

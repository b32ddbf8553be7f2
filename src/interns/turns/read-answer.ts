import type { Answer, Question, QuestionField } from '../../runtimes/turn.js';
import { chatErrors } from '../intern-chat.errors.js';

const ACTIONS = ['accept', 'decline', 'cancel'] as const;

/**
 * Returns the answer in the content of a `tool` message. Throws bad_request if the answer does not match the question.
 */
export function readAnswer(question: Question, content: string): Answer {
  return question.kind === 'permission' ? readPermission(question, content) : readElicitation(question.fields, content);
}

function readPermission({ options }: Extract<Question, { kind: 'permission' }>, content: string): Answer {
  const words = [...options, 'cancel'] as const;
  const option = words.find((word) => word === content.trim());
  if (option === undefined) throw chatErrors.badRequest(`The content of the tool message must be ${inWords(words)}`);
  return { kind: 'permission', option };
}

function readElicitation(fields: readonly QuestionField[], content: string): Answer {
  const answer = parsed(content);
  const action = ACTIONS.find((each) => each === answer?.['action']);
  if (!answer || action === undefined) {
    throw chatErrors.badRequest(
      `The content of the tool message must be a JSON object with action ${inWords(ACTIONS)} and, to accept, content`,
    );
  }
  if (action !== 'accept') return { kind: 'elicitation', action };
  const values = answer['content'] ?? {};
  if (!isRecord(values)) throw chatErrors.badRequest('content of the answer must be an object with the fields');
  for (const { name, type, required } of fields) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined ? required : typeof value !== type)
      throw chatErrors.badRequest(`The field ${JSON.stringify(name)} of the answer must be a ${type}`);
  }
  return { kind: 'elicitation', action, content: values };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const inWords = (words: readonly string[]): string => `one of ${words.join(', ')}`;

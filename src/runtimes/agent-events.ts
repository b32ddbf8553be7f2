import { z } from 'zod';
import {
  TURN_FAILURE_REASONS,
  type PermissionOption,
  type SessionSummary,
  type TurnEvent,
  type TurnUsage,
} from './turn.js';

const MAX_TEXT_CHARACTERS = 65_536;
const MAX_FIELDS = 20;
/** In UTF-16 code units. An id has at most 256 characters, each of at most two code units. */
const MAX_SESSION_ID_CHARACTERS = 512;
/** Epoch milliseconds below this bound have at most the 15 digits of a cursor. The bound is after the year 30,000. */
const MAX_TIME_MS = 1e15;

export const NO_TURN_USAGE: TurnUsage = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, costUsd: 0 };

const OPTIONS: readonly PermissionOption[] = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];

/** Members of a wrong type get a neutral value, because an agent's mistake must not stop its turn. */
const aText = z
  .string()
  .catch('')
  .transform((text) => text.slice(0, MAX_TEXT_CHARACTERS));
const aCount = z.number().nonnegative().catch(0);
const aUsage = z
  .object({ promptTokens: aCount, cachedTokens: aCount, completionTokens: aCount, costUsd: aCount })
  .catch(NO_TURN_USAGE);
const aField = z.object({
  name: z.string(),
  type: z.enum(['string', 'number', 'boolean']),
  description: z.string().optional().catch(undefined),
  required: z.boolean().optional().catch(undefined),
});
const fields = z
  .array(z.unknown())
  .catch([])
  .transform((list) => list.slice(0, MAX_FIELDS).flatMap((field) => aField.safeParse(field).data ?? []));
const aQuestion = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('permission'), operation: aText }).transform((asked) => ({ ...asked, options: OPTIONS })),
  z.object({ kind: z.literal('elicitation'), message: aText, fields }),
]);
const isNotEmpty = (text: string): boolean => text !== '';
const anEvent = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'reasoning']), text: aText.refine(isNotEmpty) }),
  z.object({ type: z.literal('question'), questionId: aText.refine(isNotEmpty), question: aQuestion }),
  z.object({ type: z.literal('end'), usage: aUsage, model: aText }),
  z.object({
    type: z.literal('failed'),
    reason: z.enum(TURN_FAILURE_REASONS).catch('internal'),
    message: aText,
    retryable: z.boolean().catch(false),
    usage: aUsage,
  }),
]);

/** An event from the agent's output, with only members of the right types; undefined if it is not an event. */
export const checkedEvent = (value: unknown): TurnEvent | undefined => anEvent.safeParse(value).data;

/** Epoch milliseconds. */
const aTime = z.int().nonnegative().lt(MAX_TIME_MS);
const aSummary = z.object({
  sessionId: z.string().min(1).max(MAX_SESSION_ID_CHARACTERS),
  createdAt: aTime,
  updatedAt: aTime,
  turns: z
    .int()
    .catch(0)
    .transform((turns) => Math.max(turns, 0)),
});

/** The summary of a session from the agent's output; undefined if it is invalid. */
export const checkedSummary = (value: unknown): SessionSummary | undefined => aSummary.safeParse(value).data;

/**
 * The host of the request that needs a permission; undefined if `operation` has no valid URL. The operation of a
 * request starts with the method, then the URL in quotes.
 */
export function hostOfOperation(operation: string): string | undefined {
  const quoted = /^(?:http_request: )?[A-Z]{3,7} ("(?:[^"\\]|\\.)*")/.exec(operation)?.[1];
  const url = quoted === undefined ? undefined : URL.parse(textIn(quoted));
  return url?.username === '' && url.password === '' ? url.hostname.replace(/\.$/, '') : undefined;
}

function textIn(quoted: string): string {
  try {
    return aText.parse(JSON.parse(quoted));
  } catch {
    return '';
  }
}

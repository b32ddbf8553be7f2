import type {
  PermissionOption,
  Question,
  QuestionField,
  SessionSummary,
  TurnEvent,
  TurnFailureReason,
  TurnUsage,
} from './turn.js';

const MAX_TEXT_CHARACTERS = 65_536;
const MAX_FIELDS = 20;
/** In UTF-16 code units: ids have at most 256 characters. */
const MAX_SESSION_ID_CHARACTERS = 512;
/** Beyond the year 30,000; fits into a cursor. */
const MAX_TIME_MS = 1e15;

export const NO_USAGE: TurnUsage = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, costUsd: 0 };

const REASONS: Record<TurnFailureReason, true> = {
  step_limit: true,
  time_limit: true,
  token_limit: true,
  spending_limit: true,
  model_unavailable: true,
  answer_timeout: true,
  cancelled: true,
  runtime_ended: true,
  internal: true,
};
const OPTIONS: readonly PermissionOption[] = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];
const FIELD_TYPES: readonly unknown[] = ['string', 'number', 'boolean'] satisfies QuestionField['type'][];

type Members = Readonly<Record<string, unknown>>;

/** An event as the agent's output holds it, with members of the right types only; undefined if it is none. */
export function checkedEvent(value: unknown): TurnEvent | undefined {
  const event = membersOf(value);
  switch (event['type']) {
    case 'text':
    case 'reasoning': {
      const text = textOf(event['text']);
      return text === '' ? undefined : { type: event['type'], text };
    }
    case 'question': {
      const question = questionOf(membersOf(event['question']));
      const questionId = textOf(event['questionId']);
      return question && questionId !== '' ? { type: 'question', questionId, question } : undefined;
    }
    case 'end':
      return { type: 'end', usage: usageOf(event['usage']), model: textOf(event['model']) };
    case 'failed': {
      const reason = textOf(event['reason']);
      return {
        type: 'failed',
        reason: Object.hasOwn(REASONS, reason) ? (reason as TurnFailureReason) : 'internal',
        message: textOf(event['message']),
        retryable: event['retryable'] === true,
        usage: usageOf(event['usage']),
      };
    }
    default:
      return undefined;
  }
}

/** The summary of a session as the agent's output holds it; undefined if it is none. */
export function checkedSummary(value: unknown): SessionSummary | undefined {
  const { sessionId, createdAt, updatedAt, turns } = membersOf(value);
  if (typeof sessionId !== 'string' || sessionId === '' || sessionId.length > MAX_SESSION_ID_CHARACTERS)
    return undefined;
  if (!isTime(createdAt) || !isTime(updatedAt)) return undefined;
  return { sessionId, createdAt, updatedAt, turns: Number.isSafeInteger(turns) ? Math.max(turns as number, 0) : 0 };
}

/** Epoch milliseconds. */
const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < MAX_TIME_MS;

/** The host of the request that a permission is for: its operation begins with a method and a URL in quotes. */
export function hostOfOperation(operation: string): string | undefined {
  const quoted = /^(?:http_request: )?[A-Z]{3,7} ("(?:[^"\\]|\\.)*")/.exec(operation)?.[1];
  const url = quoted === undefined ? undefined : URL.parse(textIn(quoted));
  return url?.username === '' && url.password === '' ? url.hostname.replace(/\.$/, '') : undefined;
}

function textIn(quoted: string): string {
  try {
    return textOf(JSON.parse(quoted));
  } catch {
    return '';
  }
}

function questionOf({ kind, operation, message, fields }: Members): Question | undefined {
  if (kind === 'permission') return { kind, operation: textOf(operation), options: OPTIONS };
  if (kind !== 'elicitation') return undefined;
  const list = Array.isArray(fields) ? (fields as unknown[]).slice(0, MAX_FIELDS) : [];
  return { kind, message: textOf(message), fields: list.flatMap((field) => fieldOf(membersOf(field))) };
}

function fieldOf({ name, type, description, required }: Members): QuestionField[] {
  if (typeof name !== 'string' || !FIELD_TYPES.includes(type)) return [];
  return [
    {
      name,
      type: type as QuestionField['type'],
      ...(typeof description === 'string' ? { description } : {}),
      ...(typeof required === 'boolean' ? { required } : {}),
    },
  ];
}

function usageOf(value: unknown): TurnUsage {
  const usage = membersOf(value);
  return {
    promptTokens: countOf(usage['promptTokens']),
    cachedTokens: countOf(usage['cachedTokens']),
    completionTokens: countOf(usage['completionTokens']),
    costUsd: countOf(usage['costUsd']),
  };
}

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_TEXT_CHARACTERS) : '');
const countOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;

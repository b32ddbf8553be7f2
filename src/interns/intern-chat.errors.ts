import { STATUS } from '../kernel/errors/error-status.js';
import { GatewayError, type ErrorKind } from '../kernel/errors/errors.js';
import type { TurnEvent, TurnFailureReason } from '../runtimes/turn.js';
import type { InternStatus } from './lifecycle.js';

interface Failure {
  /** The kinds of error; the first one is the default. */
  readonly kinds: readonly [ErrorKind, ...ErrorKind[]];
  /** Whether the same request may be sent again; undefined = it depends on the failure. */
  readonly retryable?: boolean;
  readonly meaning: string;
}

/** The reasons of failures of an intern's chat and of its sessions. */
const FAILURES = {
  bad_request: {
    kinds: ['invalid_request'],
    retryable: false,
    meaning: 'The body, or the answer to a question, is malformed',
  },
  not_found: {
    kinds: ['not_found'],
    retryable: false,
    meaning: 'The intern or session does not exist, or you may not read it',
  },
  interaction_unknown: { kinds: ['not_found'], retryable: false, meaning: 'This session has no question with this id' },
  timeout: {
    kinds: ['deadline_exceeded', 'run_timeout'],
    retryable: true,
    meaning: 'The request did not arrive in time (408), or the run took longer than `INTERN_TURN_TIMEOUT_MS` (504)',
  },
  busy: {
    kinds: ['conflict'],
    retryable: true,
    meaning: 'The intern is working on another message; see `Retry-After`',
  },
  intern_not_ready: {
    kinds: ['conflict', 'unavailable'],
    retryable: true,
    meaning:
      'The intern is not running (409): provision it, or start a replica that runs interns. Or it is ' +
      'starting (503): see `Retry-After`',
  },
  interaction_not_pending: { kinds: ['conflict'], retryable: false, meaning: 'The question was already answered' },
  run_ended: {
    kinds: ['gone'],
    retryable: false,
    meaning: 'The run has ended: it was cancelled, or its question was not answered in time',
  },
  payload_too_large: { kinds: ['payload_too_large'], retryable: false, meaning: 'The body is larger than 1 MiB' },
  rate_limited: { kinds: ['rate_limited'], retryable: true, meaning: 'Too many requests; see `Retry-After`' },
  internal_error: {
    kinds: ['internal'],
    retryable: true,
    meaning: 'The service failed, or its database is not available',
  },
  intern_unreachable: {
    kinds: ['provider_failed'],
    retryable: true,
    meaning: 'The replica that runs the intern, or its runtime, did not respond',
  },
  stream_severed: {
    kinds: ['provider_failed'],
    retryable: true,
    meaning: 'The runtime of the intern ended during the run. What it did before is not undone',
  },
  turn_failed: {
    kinds: ['provider_failed', 'insufficient_credits', 'internal'],
    meaning: 'The model failed, or the run reached one of its limits or a spending limit (402); the message says which',
  },
} as const satisfies Record<string, Failure>;

type ChatReason = keyof typeof FAILURES;

interface FailureOptions {
  readonly kind?: ErrorKind;
  readonly retryable?: boolean;
  readonly retryAfterS?: number;
  readonly cause?: unknown;
}

function failure(reason: ChatReason, message: string, options: FailureOptions = {}): GatewayError {
  const { kinds, retryable }: Failure = FAILURES[reason];
  return new GatewayError(options.kind ?? kinds[0], message, {
    metadata: { reason, retryable: options.retryable ?? retryable ?? false },
    headers: options.retryAfterS === undefined ? undefined : { 'Retry-After': String(options.retryAfterS) },
    cause: options.cause,
  });
}

const NOT_READY: Partial<Record<InternStatus, string>> = {
  awaiting_chat_install: 'The intern has not been provisioned: provision it first',
  stopped: 'The intern is suspended or was never provisioned: provision it first',
  failed: 'The intern has failed: provision it again',
  destroying: 'The intern is being deleted',
  destroy_failed: 'The intern is being deleted',
};

const OF_TURN: Record<TurnFailureReason, readonly [ChatReason, ErrorKind]> = {
  step_limit: ['turn_failed', 'provider_failed'],
  token_limit: ['turn_failed', 'provider_failed'],
  time_limit: ['timeout', 'run_timeout'],
  spending_limit: ['turn_failed', 'insufficient_credits'],
  model_unavailable: ['turn_failed', 'provider_failed'],
  answer_timeout: ['run_ended', 'gone'],
  cancelled: ['run_ended', 'gone'],
  runtime_ended: ['stream_severed', 'provider_failed'],
  internal: ['turn_failed', 'internal'],
};

/** The failures of an intern's chat and of its sessions that have their own reason. */
export const chatErrors = {
  badRequest: (message: string) => failure('bad_request', message),
  sessionNotFound: () => failure('not_found', 'The intern has no such session'),
  interactionUnknown: () => failure('interaction_unknown', 'This session has no question with the id in tool_call_id'),
  interactionNotPending: () => failure('interaction_not_pending', 'This question was already answered'),
  runEnded: () =>
    failure('run_ended', 'The run that asked this question has ended: send a user message to start a new run'),
  busy: (message = 'The intern is working on a message of another session: try again when it has finished') =>
    failure('busy', message, { retryAfterS: 2 }),
  /** Uses 409 for a status that lasts until someone acts, because clients retry a 503 automatically. */
  notReady: (status: InternStatus) => {
    const lasting = NOT_READY[status];
    return lasting === undefined
      ? failure('intern_not_ready', 'The intern is starting: try again in a moment', {
          kind: 'unavailable',
          retryAfterS: 2,
        })
      : failure('intern_not_ready', lasting);
  },
  noReplica: () =>
    failure(
      'intern_not_ready',
      'No running replica of this service runs interns: INTERN_RUNTIME is none on all of them',
    ),
  noReplicaUrl: () =>
    failure(
      'intern_not_ready',
      'Another replica runs the intern, and cannot be reached: the operator must set REPLICA_URL there',
    ),
  unreachable: (cause: unknown) =>
    failure('intern_unreachable', 'The intern cannot be reached: try again in a moment', { cause }),
  severed: () => failure('stream_severed', 'The connection to the intern was lost: send a message to continue'),
  ofTurn: ({ reason, message, retryable }: Extract<TurnEvent, { type: 'failed' }>) => {
    const [chatReason, kind] = OF_TURN[reason];
    const fixed: Failure = FAILURES[chatReason];
    return failure(chatReason, message, { kind, retryable: fixed.retryable ?? retryable });
  },
};

/** A section of docs/errors.md. `npm run docs` writes that file, and a test compares the file with this text. */
export function chatErrorsSection(): string {
  const rows = Object.entries(FAILURES).map(([reason, { kinds, retryable, meaning }]: [string, Failure]) => {
    const statuses = kinds.map((kind) => STATUS[kind]).join(', ');
    const again = retryable === undefined ? 'varies' : retryable ? 'yes' : 'no';
    return `| \`${reason}\` | ${statuses} | ${again} | ${meaning} |`;
  });
  return [
    '',
    "## Reasons of an intern's chat",
    '',
    '`metadata.reason` of `/interns/{id}/chat/completions` and `/interns/{id}/sessions`. If the stream has started, a',
    'failure is sent as a chunk with an `error` of the same form: `code` is the status, `finish_reason` is `error`.',
    'A 401, and the 403 of a regional hostname, have no metadata. Other 403 responses have the reasons of the group.',
    '',
    '| reason | status | retryable | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

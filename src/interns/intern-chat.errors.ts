import { STATUS } from '../kernel/errors/error-status.js';
import { GatewayError, type ErrorKind } from '../kernel/errors/errors.js';
import type { TurnEvent, TurnFailureReason } from '../runtimes/turn.js';
import type { InternStatus } from './lifecycle.js';

interface Failure {
  /** The first one is the default. */
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
  not_found: { kinds: ['not_found'], retryable: false, meaning: 'No such intern or session, or you may not see it' },
  interaction_unknown: { kinds: ['not_found'], retryable: false, meaning: 'This session has no question of that id' },
  timeout: {
    kinds: ['deadline_exceeded', 'run_timeout'],
    retryable: true,
    meaning: 'The request did not arrive in time (408), or the run took longer than `INTERN_TURN_TIMEOUT_MS` (504)',
  },
  busy: { kinds: ['conflict'], retryable: true, meaning: 'The intern works on another message; see `Retry-After`' },
  intern_not_ready: {
    kinds: ['conflict', 'unavailable'],
    retryable: true,
    meaning:
      'The intern does not run (409: provision it first, or let a replica run interns), or will in a moment (503; ' +
      'see `Retry-After`)',
  },
  interaction_not_pending: { kinds: ['conflict'], retryable: false, meaning: 'The question was answered already' },
  run_ended: {
    kinds: ['gone'],
    retryable: false,
    meaning: 'The run is over: it was cancelled, or its question was not answered in time',
  },
  payload_too_large: { kinds: ['payload_too_large'], retryable: false, meaning: 'The body has more than 1 MiB' },
  rate_limited: { kinds: ['rate_limited'], retryable: true, meaning: 'Too many requests; see `Retry-After`' },
  internal_error: { kinds: ['internal'], retryable: true, meaning: 'A fault of the service, or its database is away' },
  intern_unreachable: {
    kinds: ['provider_failed'],
    retryable: true,
    meaning: 'The replica that runs the intern, or its runtime, did not respond',
  },
  stream_severed: {
    kinds: ['provider_failed'],
    retryable: true,
    meaning: 'The runtime of the intern ended during the run: what it did until then stays done',
  },
  turn_failed: {
    kinds: ['provider_failed', 'insufficient_credits', 'internal'],
    meaning: 'The model failed, or a limit of the run or of spending (402) was reached; the message says which',
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

/** Every failure of an intern's chat and of its sessions that has a reason of its own. */
export const chatErrors = {
  badRequest: (message: string) => failure('bad_request', message),
  sessionNotFound: () => failure('not_found', 'The intern has no such session'),
  interactionUnknown: () =>
    failure('interaction_unknown', 'No question of this session has the id that tool_call_id names'),
  interactionNotPending: () => failure('interaction_not_pending', 'This question was answered already'),
  runEnded: () => failure('run_ended', 'The run that asked is over: send a message of the user to start another one'),
  busy: (message = 'The intern works on a message of another session: try again when it has finished') =>
    failure('busy', message, { retryAfterS: 2 }),
  /** In a status that lasts until somebody acts it is a 409: clients repeat a 503 by themselves. */
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
    failure('intern_not_ready', 'No replica of the service runs interns at present (INTERN_RUNTIME=none)'),
  noReplicaUrl: () => failure('intern_not_ready', 'Another replica runs the intern, and REPLICA_URL is not set there'),
  unreachable: (cause: unknown) =>
    failure('intern_unreachable', 'The intern cannot be reached at present: try again', { cause }),
  severed: () => failure('stream_severed', 'The connection to the intern broke: send a message to go on'),
  ofTurn: ({ reason, message, retryable }: Extract<TurnEvent, { type: 'failed' }>) => {
    const [chatReason, kind] = OF_TURN[reason];
    const fixed: Failure = FAILURES[chatReason];
    return failure(chatReason, message, { kind, retryable: fixed.retryable ?? retryable });
  },
};

/** A part of docs/errors.md, which `npm run docs` writes and a test compares. */
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
    '`metadata.reason` of `/interns/{id}/chat/completions` and `/interns/{id}/sessions`. A failure after the stream',
    'has begun is a chunk with `error` of the same form: `code` is the status, `finish_reason` is `error`. 401, and',
    '403 of a regional hostname, have no metadata; the other 403 are those of the interns group.',
    '',
    '| reason | status | retryable | meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

/** Every status of an intern, in the neutral dialect (docs/api-rules.md, section 1). */
export const INTERN_STATUSES = [
  'awaiting_chat_install',
  'queued',
  'provisioning',
  'running',
  'failed',
  'stopped',
  'destroying',
  'destroy_failed',
] as const;

export type InternStatus = (typeof INTERN_STATUSES)[number];

/** The requests of callers. */
export const REQUESTS = ['update', 'provision', 'suspend', 'delete'] as const;
/** The reports of workers. */
export const REPORTS = ['taken', 'booted', 'boot-failed', 'expired', 'ended', 'torn-down', 'teardown-failed'] as const;

export type InternRequest = (typeof REQUESTS)[number];
export type InternReport = (typeof REPORTS)[number];
export type InternEvent = InternRequest | InternReport;

interface Transition {
  readonly from: readonly InternStatus[];
  readonly event: InternEvent;
  /** `same`: accepted, and the status does not change. `gone`: the row is deleted, and requests get 404. */
  readonly to: InternStatus | 'same' | 'gone';
  readonly note: string;
}

const every = (...except: readonly InternStatus[]): readonly InternStatus[] =>
  INTERN_STATUSES.filter((status) => !except.includes(status));

/** All allowed transitions between statuses after the creation of an intern. */
export const TRANSITIONS: readonly Transition[] = [
  {
    from: ['awaiting_chat_install', 'stopped', 'failed'],
    event: 'provision',
    to: 'queued',
    note: 'the failure message is cleared',
  },
  { from: ['queued', 'provisioning', 'running'], event: 'provision', to: 'same', note: 'no second run' },
  { from: ['running'], event: 'suspend', to: 'stopped', note: 'the disk and the configuration stay' },
  { from: ['stopped'], event: 'suspend', to: 'same', note: '' },
  { from: every('destroying'), event: 'delete', to: 'destroying', note: '' },
  { from: ['destroying'], event: 'delete', to: 'same', note: '' },
  {
    from: every('destroying', 'destroy_failed'),
    event: 'update',
    to: 'same',
    note: 'the fields change; the next turn reads them',
  },
  { from: ['queued'], event: 'taken', to: 'provisioning', note: 'with progress' },
  { from: ['provisioning'], event: 'booted', to: 'running', note: 'with a hostname' },
  { from: ['provisioning'], event: 'boot-failed', to: 'failed', note: 'with a message' },
  { from: ['queued', 'provisioning'], event: 'expired', to: 'failed', note: 'with a message' },
  { from: ['destroying'], event: 'expired', to: 'destroy_failed', note: 'with a message' },
  { from: ['running'], event: 'ended', to: 'failed', note: 'no restart is left; with a message' },
  { from: ['destroying'], event: 'torn-down', to: 'gone', note: 'requests get 404 from then on' },
  { from: ['destroying'], event: 'teardown-failed', to: 'destroy_failed', note: 'with a message' },
];

/** Statuses in which an intern needs a worker that runs it. */
const WITH_WORKER: readonly InternStatus[] = ['queued', 'provisioning', 'running'];

/** Whether the intern is not running and will not run until a caller acts. */
export const isAtRest = (status: InternStatus): boolean => !WITH_WORKER.includes(status);

/** The first status of a new intern. */
export const firstStatus = (provision: boolean, chatInstallRequired: boolean): InternStatus =>
  provision ? 'queued' : chatInstallRequired ? 'awaiting_chat_install' : 'stopped';

/** The outcome of an event in a status; `refused` for every pair that is not in the table. */
export function outcomeOf(status: InternStatus, event: InternEvent): Transition['to'] | 'refused' {
  return (
    TRANSITIONS.find((transition) => transition.event === event && transition.from.includes(status))?.to ?? 'refused'
  );
}

/** The steps of provisioning, in order. Their numbers start at 1. */
export const PROVISIONING_STEPS = [
  'Opening its vault',
  'Preparing its disk',
  'Minting its key',
  'Starting its runtime',
  'Waiting for its first answer',
  'Assigning its hostname',
] as const;

const code = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

/**
 * The text of docs/intern-lifecycle.md. `npm run docs` writes the file, and a test compares the file with this text.
 */
export function lifecyclePage(): string {
  const rows = TRANSITIONS.map(({ from, event, to, note }) => {
    const who = (REQUESTS as readonly string[]).includes(event) ? 'caller' : 'worker';
    const result = to === 'same' ? 'unchanged' : to === 'gone' ? to : code([to]);
    return `| ${code(from)} | ${who}: ${event} | ${result} | ${note} |`;
  });
  return [
    '# Intern lifecycle',
    '',
    'Generated from `src/interns/lifecycle.ts` by `npm run docs`. A new intern starts as `stopped` (or as',
    '`awaiting_chat_install` if INTERN_CHAT_INSTALL_REQUIRED is set), and as `queued` if it is created with',
    '`provision: true`. A request in a status that has no row here returns 409 `intern_busy` and changes nothing; a',
    'report of a worker without a row changes nothing either.',
    '',
    '| from | event | to | |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

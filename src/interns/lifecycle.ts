/** Every status of an intern (specification, "States and transitions"), in the neutral dialect. */
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

/** What callers ask for. */
export const REQUESTS = ['update', 'provision', 'suspend', 'delete'] as const;
/** What workers report. */
export const REPORTS = ['taken', 'booted', 'boot-failed', 'expired', 'ended', 'torn-down', 'teardown-failed'] as const;

export type InternRequest = (typeof REQUESTS)[number];
export type InternReport = (typeof REPORTS)[number];
export type InternEvent = InternRequest | InternReport;

export interface Transition {
  readonly from: readonly InternStatus[];
  readonly event: InternEvent;
  /** `same`: accepted, and nothing changes. `gone`: the row is deleted, the intern answers 404. */
  readonly to: InternStatus | 'same' | 'gone';
  readonly note: string;
}

const every = (...except: readonly InternStatus[]): readonly InternStatus[] =>
  INTERN_STATUSES.filter((status) => !except.includes(status));

/** The life of an intern after its creation: the only code that says which status may follow which. */
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
    note: 'the fields change; the next boot reads them',
  },
  { from: ['queued'], event: 'taken', to: 'provisioning', note: 'with progress' },
  { from: ['provisioning'], event: 'booted', to: 'running', note: 'with a hostname' },
  { from: ['provisioning'], event: 'boot-failed', to: 'failed', note: 'with a message' },
  { from: ['queued', 'provisioning'], event: 'expired', to: 'failed', note: 'with a message' },
  { from: ['destroying'], event: 'expired', to: 'destroy_failed', note: 'with a message' },
  { from: ['running'], event: 'ended', to: 'failed', note: 'the restarts are used up; with a message' },
  { from: ['destroying'], event: 'torn-down', to: 'gone', note: 'answers 404 from then on' },
  { from: ['destroying'], event: 'teardown-failed', to: 'destroy_failed', note: 'with a message' },
];

/** The status a new intern begins with. */
export const firstStatus = (provision: boolean, chatInstallRequired: boolean): InternStatus =>
  provision ? 'queued' : chatInstallRequired ? 'awaiting_chat_install' : 'stopped';

/** What an event does in a status; `refused` for every pair that the table does not name: 409 `intern_busy` to a request. */
export function outcomeOf(status: InternStatus, event: InternEvent): Transition['to'] | 'refused' {
  return (
    TRANSITIONS.find((transition) => transition.event === event && transition.from.includes(status))?.to ?? 'refused'
  );
}

/** The statuses in which an event is accepted, for the `where` of an update. */
export const acceptedIn = (event: InternEvent): readonly InternStatus[] =>
  TRANSITIONS.filter((transition) => transition.event === event).flatMap(({ from }) => from);

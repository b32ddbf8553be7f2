import type { operations } from '../../api/schema';
import type { TimeRange } from '../../format/ranges';
import { present, textOf } from '../../scope/search-parameters';

export type AuditQuery = NonNullable<operations['listAuditEntries']['parameters']['query']>;
type Action = NonNullable<AuditQuery['action']>;
type Actor = NonNullable<AuditQuery['actor']>;

/** What was done, in the past tense. */
export const ACTIONS: Readonly<Record<Action, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  rotate: 'replaced the secret of',
  use: 'used',
  copy: 'copied',
  provision: 'provisioned',
  start: 'started',
  allow: 'allowed',
  reject: 'rejected',
  answer: 'answered',
  refuse: 'was refused',
  suspend: 'suspended',
  deactivate: 'deactivated',
  grant: 'granted',
  backup: 'backed up',
  restore: 'restored',
  rebuild: 'rebuilt',
  seed: 'seeded',
  sweep: 'swept',
  import: 'imported',
  sign_in: 'signed in',
  sign_in_refused: 'was refused at sign-in',
  sign_out: 'signed out',
};

/** The kinds of things, as people call them. */
export const KINDS: Readonly<Record<string, string>> = {
  api_key: 'key',
  workspace: 'workspace',
  member: 'member',
  workspace_member: 'member of a workspace',
  invitation: 'invitation',
  budget: 'budget',
  byok_credential: 'provider credential',
  platform_credential: 'channel',
  own_provider: 'own provider',
  own_model: 'own model',
  model_alias: 'alias of a model',
  file: 'file',
  end_user: 'end user',
  webhook: 'webhook',
  intern: 'intern',
  intern_run: 'turn of an intern',
  intern_question: 'question of an intern',
  intern_session: 'session of an intern',
  vault_secret: 'secret',
  console_session: 'session of the console',
  console_code: 'sign-in link',
  user_identity: 'identity',
  federation_policy: 'federation policy',
  authorization_code: 'authorization code',
  master_key: 'master key',
  database: 'database',
};

export const ACTORS: Readonly<Record<Actor, string>> = {
  key: 'a member or a key',
  operator: 'the operator',
  service: 'the service',
};

export interface AuditFilters {
  readonly action?: Action;
  readonly kind?: string;
  readonly subject?: string;
  readonly actor?: Actor;
  readonly key?: string;
  readonly person?: string;
}

/** Keeps what is well-formed of an address. */
export function auditFilters(search: Record<string, unknown>): AuditFilters {
  const [action, actor, key, person] = ['action', 'actor', 'key', 'person'].map((name) => textOf(search[name]));
  return present<AuditFilters>({
    action: action !== undefined && action in ACTIONS ? (action as Action) : undefined,
    kind: textOf(search['kind']),
    subject: textOf(search['subject']),
    actor: actor !== undefined && actor in ACTORS ? (actor as Actor) : undefined,
    key: key !== undefined && /^[0-9a-f]{64}$/.test(key) ? key : undefined,
    person: person !== undefined && /^[0-9a-f-]{36}$/i.test(person) ? person : undefined,
  });
}

export const auditQuery = (filters: AuditFilters, { start, end }: TimeRange): AuditQuery => ({
  action: filters.action,
  kind: filters.kind,
  id: filters.subject,
  actor: filters.actor,
  api_key_hash: filters.key,
  user_id: filters.person,
  start,
  end,
});

import type { operations } from '../../api/schema';
import type { TimeRange } from '../../format/ranges';
import { present, textOf } from '../../scope/search-parameters';
import { t } from '../../text/translate';

export type AuditQuery = NonNullable<operations['listAuditEntries']['parameters']['query']>;
type Action = NonNullable<AuditQuery['action']>;
type Actor = NonNullable<AuditQuery['actor']>;

/** The texts of actions, in the past tense. */
export const ACTIONS: Readonly<Record<Action, string>> = {
  create: t('created'),
  update: t('changed'),
  delete: t('deleted'),
  rotate: t('replaced the secret of'),
  use: t('used'),
  copy: t('copied'),
  provision: t('provisioned'),
  start: t('started'),
  allow: t('allowed'),
  reject: t('rejected'),
  answer: t('answered'),
  refuse: t('was refused'),
  suspend: t('suspended'),
  deactivate: t('deactivated'),
  grant: t('granted'),
  backup: t('backed up'),
  restore: t('restored'),
  rebuild: t('rebuilt'),
  seed: t('seeded'),
  sweep: t('swept'),
  import: t('imported'),
  sign_in: t('signed in'),
  sign_in_refused: t('was refused at sign-in'),
  sign_out: t('signed out'),
};

/** The kinds of resources, by their names in the console. */
export const KINDS: Readonly<Record<string, string>> = {
  api_key: t('key'),
  workspace: t('workspace'),
  member: t('member'),
  workspace_member: t('member of a workspace'),
  invitation: t('invitation'),
  budget: t('budget'),
  byok_credential: t('provider credential'),
  platform_credential: t('channel'),
  own_provider: t('own provider'),
  own_model: t('own model'),
  model_alias: t('alias of a model'),
  file: t('file'),
  end_user: t('end user'),
  webhook: t('webhook'),
  intern: t('intern'),
  intern_run: t('turn of an intern'),
  intern_question: t('question of an intern'),
  intern_session: t('session of an intern'),
  vault_secret: t('secret'),
  console_session: t('session of the console'),
  console_code: t('sign-in link'),
  user_identity: t('identity'),
  federation_policy: t('federation policy'),
  authorization_code: t('authorization code'),
  master_key: t('master key'),
  database: t('database'),
};

export const ACTORS: Readonly<Record<Actor, string>> = {
  key: t('a member or a key'),
  operator: t('the operator'),
  service: t('the service'),
};

export interface AuditFilters {
  readonly action?: Action;
  readonly kind?: string;
  readonly subject?: string;
  readonly actor?: Actor;
  readonly key?: string;
  readonly person?: string;
}

/** Reads the filters in an address and drops malformed ones. */
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

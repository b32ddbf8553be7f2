import type { AuditEntry } from '../../api/records';
import { usd } from '../../format/amounts';
import { nameOf } from '../../names/name-store';
import { shortOf, type Names } from '../../names/use-names';
import { ACTIONS, KINDS } from './audit-filters';
import { t } from '../../text/translate';

type Change = NonNullable<AuditEntry['changes']>[number];

const IN_USD: ReadonlySet<string> = new Set(['limit', 'limit_usd', 'session_limit_usd', 'raise.amount_usd']);

const hasOwn = (table: object, name: string): boolean => Object.hasOwn(table, name);

export const actionText = (action: string): string =>
  hasOwn(ACTIONS, action) ? ACTIONS[action as keyof typeof ACTIONS] : action;
export const kindText = (kind: string): string => (hasOwn(KINDS, kind) ? KINDS[kind]! : kind.replaceAll('_', ' '));

/** A text such as "limit" for limit_usd. */
export const settingText = ({ setting }: Change): string => setting.replace(/_usd$/, '').replaceAll('_', ' ');

export function valueText({ setting }: Change, value: string | null): string {
  if (value === null) return t('none');
  return IN_USD.has(setting) ? usd(Number(value)) : value;
}

/** A text such as "limit: $5.00 → $50.00". */
export function changeText(change: Change): string {
  if (change.secret) return t('{change} replaced', { change: settingText(change) });
  return `${settingText(change)}: ${valueText(change, change.from)} → ${valueText(change, change.to)}`;
}

/** The member who acted, or otherwise the key, the operator or the service. */
export function actorText({ actor, api_key_hash: hash, user_id: userId }: AuditEntry, names: Names): string {
  if (userId) return names.person(userId);
  return hash ? t('key {key}', { key: names.key(hash) }) : actor;
}

/** The key that acted, unless a session acted with it. */
export function keyText({ api_key_hash: hash }: AuditEntry, names: Names): string | null {
  return hash && !nameOf('api_keys', hash)?.of_session ? names.key(hash) : null;
}

/** Actions of the person to whom the session belongs. */
const IS_OWN_SESSION: ReadonlySet<string> = new Set(['sign_in', 'sign_out']);

/** The resource of the action, by its name if it has one. */
export function subjectText({ kind, id, action, user_id: userId }: AuditEntry, names: Names): string {
  const [container = '', inner = ''] = id.split('/');
  if (kind === 'api_key') return names.key(id);
  if (kind === 'workspace') return names.workspace(id);
  if (kind === 'intern') return names.intern(id);
  if (kind === 'console_session' && userId && IS_OWN_SESSION.has(action)) return names.person(userId);
  if (kind === 'member' && inner) return names.person(inner);
  if (kind === 'workspace_member')
    return t('{person} in {workspace}', { person: names.person(inner), workspace: names.workspace(container) });
  return id;
}

const MACHINE_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}/gi;

/** Shortens the UUIDs and hashes in a text to their first characters. */
export const withShortIds = (text: string): string => text.replaceAll(MACHINE_ID, shortOf);

/** The ids of an entry that have names. */
export function namedIn({ kind, id, api_key_hash: hash, user_id: userId }: AuditEntry) {
  const [container = '', inner = ''] = id.split('/');
  const isMember = kind === 'member' || kind === 'workspace_member';
  return {
    api_keys: [...(hash ? [hash] : []), ...(kind === 'api_key' && /^[0-9a-f]{64}$/.test(id) ? [id] : [])],
    users: [...(userId ? [userId] : []), ...(isMember && inner ? [inner] : [])],
    workspaces: kind === 'workspace' ? [id] : kind === 'workspace_member' ? [container] : [],
    interns: kind === 'intern' ? [id] : [],
  };
}

import type { ReactNode } from 'react';
import type { AuditEntry } from '../../api/records';
import { PageLink } from '../../components/page-link';
import { KeyLink } from '../../names/name-links';
import type { Names } from '../../names/use-names';
import { subjectText, withShortIds } from './audit-words';

/** The pages that list resources of a kind. */
const LISTS = {
  workspace: '/workspaces',
  member: '/members',
  workspace_member: '/workspaces',
  invitation: '/members',
  budget: '/budgets',
  byok_credential: '/provider-credentials',
  platform_credential: '/channels',
  own_provider: '/own-models',
  own_model: '/own-models',
  model_alias: '/own-models',
  file: '/files',
  end_user: '/end-users',
  federation_policy: '/identity',
} as const;

const isListed = (kind: string): kind is keyof typeof LISTS => Object.hasOwn(LISTS, kind);

interface AuditSubjectProps {
  readonly entry: AuditEntry;
  readonly names: Names;
}

/** The resource of the action, as a link to its page or list. Deletions, and kinds without a page, have no link. */
export function AuditSubject({ entry, names }: AuditSubjectProps): ReactNode {
  const { kind, id, action } = entry;
  const text = withShortIds(subjectText(entry, names));
  if (kind === 'api_key') return <KeyLink hash={id} />;
  if (action === 'delete') return <span title={id}>{text}</span>;
  if (kind === 'intern')
    return (
      <PageLink to="/interns/$id" params={{ id }} title={id}>
        {text}
      </PageLink>
    );
  if (kind === 'webhook')
    return (
      <PageLink to="/webhooks/$id" params={{ id }} title={id}>
        {text}
      </PageLink>
    );
  if (isListed(kind))
    return (
      <PageLink to={LISTS[kind]} title={id}>
        {text}
      </PageLink>
    );
  return <span title={id}>{text}</span>;
}

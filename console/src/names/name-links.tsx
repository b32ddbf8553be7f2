import type { ReactNode } from 'react';
import { PageLink } from '../components/page-link';
import { nameOf } from './name-store';
import { useNames } from './use-names';

/** A key by its name. Deleted keys and those of sessions have no page. */
export function KeyLink({ hash }: { readonly hash: string }): ReactNode {
  const names = useNames();
  const key = nameOf('api_keys', hash);
  if (!key || key.deleted || key.of_session || key.intern_id) return <span title={hash}>{names.key(hash)}</span>;
  return (
    <PageLink to="/keys/$hash" params={{ hash: key.current_hash }} title={key.label}>
      {names.key(hash)}
    </PageLink>
  );
}

/** A member by name. */
export function PersonLink({ id }: { readonly id: string }): ReactNode {
  const names = useNames();
  const person = nameOf('users', id);
  return <span title={person?.email ?? id}>{names.person(id)}</span>;
}

/** A workspace by name. */
export function WorkspaceName({ id }: { readonly id: string }): ReactNode {
  return <span title={id}>{useNames().workspace(id)}</span>;
}

import type { ReactNode } from 'react';
import { useMay } from '../api/session';
import { PageLink } from '../components/page-link';
import { nameOf } from './name-store';
import { useNames } from './use-names';

/** A key by its name. Deleted keys and keys of sessions have no page. */
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

/** A member by name, whose page the reader may open. */
export function PersonLink({ id }: { readonly id: string }): ReactNode {
  const names = useNames();
  const person = nameOf('users', id);
  const canOpen = useMay('members.read');
  if (!person || !canOpen) return <span title={id}>{names.person(id)}</span>;
  return (
    <PageLink to="/members/$id" params={{ id }} title={person.email ?? id}>
      {names.person(id)}
    </PageLink>
  );
}

/** A workspace by its name. */
export function WorkspaceLink({ id }: { readonly id: string }): ReactNode {
  const name = useNames().workspace(id);
  const canOpen = useMay('workspaces.read');
  if (!canOpen || !nameOf('workspaces', id)) return <span title={id}>{name}</span>;
  return (
    <PageLink to="/workspaces/$id" params={{ id }}>
      {name}
    </PageLink>
  );
}

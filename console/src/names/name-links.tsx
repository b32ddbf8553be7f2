import { Skeleton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '../api/session';
import { PageLink } from '../components/page-link';
import { t } from '../text/translate';
import { isNamePending, nameOf } from './name-store';
import { useNames } from './use-names';

/** Shown instead of a name that is loading. */
function PendingName(): ReactNode {
  return (
    <>
      <Skeleton component="span" display="inline-block" w="7rem" h="0.9em" style={{ verticalAlign: 'middle' }} />
      <VisuallyHidden>{t('Loading')}</VisuallyHidden>
    </>
  );
}

/** A key by its name. Deleted keys and keys of sessions have no page. */
export function KeyLink({ hash }: { readonly hash: string }): ReactNode {
  const names = useNames();
  const key = nameOf('api_keys', hash);
  const sessionOf = key?.of_session ? key.creator_user_id : null;
  // Call `names.key` before `isNamePending`, because `names.key` requests the name of the person.
  const text = names.key(hash);
  if (isNamePending('api_keys', hash) || (sessionOf && isNamePending('users', sessionOf))) return <PendingName />;
  if (!key || key.deleted || key.of_session || key.intern_id) return <span title={hash}>{text}</span>;
  return (
    <PageLink to="/keys/$hash" params={{ hash: key.current_hash }} title={key.label}>
      {text}
    </PageLink>
  );
}

/** A member by name, with a link if the reader may open the page. */
export function PersonLink({ id }: { readonly id: string }): ReactNode {
  const names = useNames();
  const person = nameOf('users', id);
  const canOpen = useMay('members.read');
  if (isNamePending('users', id)) return <PendingName />;
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
  if (isNamePending('workspaces', id)) return <PendingName />;
  if (!canOpen || !nameOf('workspaces', id)) return <span title={id}>{name}</span>;
  return (
    <PageLink to="/workspaces/$id" params={{ id }}>
      {name}
    </PageLink>
  );
}

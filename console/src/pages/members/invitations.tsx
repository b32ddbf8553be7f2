import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { membersChanged, useInvitations } from '../../api/members';
import type { Invitation } from '../../api/records';
import { useWorkspaceNames } from '../../api/workspaces';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { SectionHeader } from '../../components/page-header';
import { t } from '../../text/translate';

const columnsWith = (nameOfWorkspace: (id: string) => string): Column<Invitation>[] => [
  { header: t('For'), cell: ({ email }) => email ?? t('anyone with the link') },
  { header: t('Role'), cell: ({ role }) => role },
  {
    header: t('Workspaces'),
    cell: ({ workspace_ids }) => workspace_ids.map(nameOfWorkspace).join(', ') || t('Default'),
  },
  { header: t('Ends'), cell: ({ expires_at }) => <Ago iso={expires_at} /> },
  {
    header: t('Actions'),
    cell: ({ id, email }) => (
      <ConfirmButton
        label={t('Revoke')}
        subject={t('the invitation of {email}', { email: email ?? t('anyone with the link') })}
        question={t('The link works no more.')}
        onConfirm={async () => {
          await api.DELETE('/api/v1/invitations/{id}', { params: { path: { id } } });
          await membersChanged();
        }}
      />
    ),
  },
];

/** The unused invitations. */
export function Invitations(): ReactNode {
  const invitations = useInvitations(true);
  const nameOfWorkspace = useWorkspaceNames();
  return (
    <section aria-label={t('Invitations')}>
      <SectionHeader title={t('Invitations')} about={t('Links that were not used yet.')} />
      <Loaded query={invitations}>
        {(rows) => (
          <DataTable
            label={t('Invitations')}
            columns={columnsWith(nameOfWorkspace)}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('No open invitations.')}
          />
        )}
      </Loaded>
    </section>
  );
}

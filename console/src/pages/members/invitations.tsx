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

const columnsWith = (nameOfWorkspace: (id: string) => string): Column<Invitation>[] => [
  { header: 'For', cell: ({ email }) => email ?? 'anyone with the link' },
  { header: 'Role', cell: ({ role }) => role },
  { header: 'Workspaces', cell: ({ workspace_ids }) => workspace_ids.map(nameOfWorkspace).join(', ') || 'Default' },
  { header: 'Ends', cell: ({ expires_at }) => <Ago iso={expires_at} /> },
  {
    header: 'Actions',
    cell: ({ id, email }) => (
      <ConfirmButton
        label="Revoke"
        subject={`the invitation of ${email ?? 'anyone with the link'}`}
        question="The link works no more."
        onConfirm={async () => {
          await api.DELETE('/api/v1/invitations/{id}', { params: { path: { id } } });
          await membersChanged();
        }}
      />
    ),
  },
];

/** The invitations that were not used yet. */
export function Invitations(): ReactNode {
  const invitations = useInvitations(true);
  const nameOfWorkspace = useWorkspaceNames();
  return (
    <section aria-label="Invitations">
      <SectionHeader title="Invitations" about="Links that were not used yet." />
      <Loaded query={invitations}>
        {(rows) => (
          <DataTable
            label="Invitations"
            columns={columnsWith(nameOfWorkspace)}
            rows={rows}
            rowKey={({ id }) => id}
            empty="There is no open invitation."
          />
        )}
      </Loaded>
    </section>
  );
}

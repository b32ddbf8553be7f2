import { Group, Paper, Skeleton, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { inWorkspace } from '../../api/analytics';
import type { WorkspaceRecord } from '../../api/records';
import { useMay } from '../../api/session';
import { useWorkspaces } from '../../api/workspaces';
import { Facts } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { NotFound } from '../../components/not-found';
import { PageHeader, SectionHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT } from '../../format/amounts';
import { moment } from '../../format/times';
import { SpendOf } from '../../spend/spend-of';
import { MemberList } from './workspace-members';
import { SettingsForm } from './workspace-settings';
import { EditWorkspace } from './workspaces.page';

/** What a workspace spends, who belongs to it, and its limits. */
export function WorkspacePage(): ReactNode {
  const { id } = useParams({ from: '/workspaces/$id' });
  const workspaces = useWorkspaces();
  return (
    <Loaded query={workspaces} placeholder={<Skeleton h={300} role="status" aria-label="Loading" />}>
      {(rows) => {
        const workspace = rows.find((row) => row.id === id || row.slug === id);
        return workspace ? <Workspace workspace={workspace} /> : <NotFound />;
      }}
    </Loaded>
  );
}

function Workspace({ workspace }: { readonly workspace: WorkspaceRecord }): ReactNode {
  const readsUsage = useMay('usage.sums');
  const canEdit = useMay('workspaces.write');
  const seesMembers = useMay('workspace-members.write');
  const { id, name, slug, description, default_text_model, created_at } = workspace;
  return (
    <Stack>
      <PageHeader
        title={name}
        about={description ?? undefined}
        parent={<PageLink to="/workspaces">Workspaces</PageLink>}
      >
        {canEdit && <EditWorkspace workspace={workspace} />}
      </PageHeader>
      <Links workspace={id} />
      {readsUsage && <SpendOf filters={inWorkspace(id)} by="api_key_id" />}
      <Facts
        title="About"
        rows={[
          ['Slug', slug],
          ['Default model', default_text_model ?? ABSENT],
          ['Made', moment(created_at)],
        ]}
      />
      {seesMembers && (
        <Paper withBorder p="sm">
          <SectionHeader title="Members" />
          <MemberList workspace={workspace} />
        </Paper>
      )}
      {canEdit && (
        <Paper withBorder p="sm">
          <SettingsForm id={id} />
        </Paper>
      )}
    </Stack>
  );
}

/** Other pages, narrowed to the workspace. */
function Links({ workspace }: { readonly workspace: string }): ReactNode {
  const search = { workspace };
  const readsKeys = useMay('keys.read');
  const readsCalls = useMay('usage.calls');
  const readsBudgets = useMay('budgets.read');
  return (
    <Group gap="md">
      {readsKeys && (
        <PageLink to="/keys" search={search}>
          Its keys
        </PageLink>
      )}
      {readsCalls && (
        <PageLink to="/calls" search={search}>
          Its calls
        </PageLink>
      )}
      {readsBudgets && (
        <PageLink to="/budgets" search={search}>
          Its budgets
        </PageLink>
      )}
    </Group>
  );
}

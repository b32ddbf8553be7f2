import { Group, Paper, Stack } from '@mantine/core';
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
import { t } from '../../text/translate';
import { Placeholder } from '../../components/placeholder';

/** The spend of a workspace, its members, and its limits. */
export function WorkspacePage(): ReactNode {
  const { id } = useParams({ from: '/workspaces/$id' });
  const workspaces = useWorkspaces();
  return (
    <Loaded query={workspaces} placeholder={<Placeholder h={300} />}>
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
        parent={<PageLink to="/workspaces">{t('Workspaces')}</PageLink>}
      >
        {canEdit && <EditWorkspace workspace={workspace} />}
      </PageHeader>
      <Links workspace={id} />
      {readsUsage && <SpendOf filters={inWorkspace(id)} by="api_key_id" />}
      <Facts
        title={t('About')}
        rows={[
          [t('Slug'), slug],
          [t('Default model'), default_text_model ?? ABSENT],
          [t('Made'), moment(created_at)],
        ]}
      />
      {seesMembers && (
        <Paper withBorder p="sm">
          <SectionHeader title={t('Members')} />
          <MemberList workspace={workspace} />
        </Paper>
      )}
      {canEdit && <SettingsForm id={id} />}
    </Stack>
  );
}

/** Links to other pages, filtered by the workspace. */
function Links({ workspace }: { readonly workspace: string }): ReactNode {
  const search = { workspace };
  const readsKeys = useMay('keys.read');
  const readsCalls = useMay('usage.calls');
  const readsBudgets = useMay('budgets.read');
  return (
    <Group gap="md">
      {readsKeys && (
        <PageLink to="/keys" search={search}>
          {t('Its keys')}
        </PageLink>
      )}
      {readsCalls && (
        <PageLink to="/calls" search={search}>
          {t('Its calls')}
        </PageLink>
      )}
      {readsBudgets && (
        <PageLink to="/budgets" search={search}>
          {t('Its budgets')}
        </PageLink>
      )}
    </Group>
  );
}

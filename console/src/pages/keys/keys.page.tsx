import { Badge, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useKeys } from '../../api/keys';
import type { KeyRecord } from '../../api/records';
import { useMay } from '../../api/session';
import { useWorkspaceNames } from '../../api/workspaces';
import { Ago } from '../../components/ago';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { useScope } from '../../scope/use-scope';
import { usd } from '../../format/amounts';
import { CreateKey } from './create-key';
import { DisableKey } from './key-actions';
import { PageLink } from '../../components/page-link';

const ACTIONS: Column<KeyRecord> = {
  header: 'Actions',
  cell: (key) => (
    <Group gap="xs" wrap="nowrap">
      <DisableKey record={key} />
    </Group>
  ),
};

const columnsWith = (nameOfWorkspace: (id: string) => string, canWrite: boolean): Column<KeyRecord>[] => [
  {
    header: 'Name',
    cell: ({ hash, name }) => (
      <PageLink to="/keys/$hash" params={{ hash }}>
        {name}
      </PageLink>
    ),
  },
  { header: 'Workspace', cell: ({ workspace_id }) => nameOfWorkspace(workspace_id) },
  { header: 'State', cell: (key) => <KeyState record={key} /> },
  { header: 'Spent', cell: ({ usage }) => usd(usage), isNumeric: true },
  { header: 'This month', cell: ({ usage_monthly }) => usd(usage_monthly), isNumeric: true },
  {
    header: 'Limit',
    cell: ({ limit, limit_reset }) => (limit === null ? 'none' : `${usd(limit)} ${limit_reset ?? ''}`),
    isNumeric: true,
  },
  { header: 'Last used', cell: ({ last_used_at }) => (last_used_at ? <Ago iso={last_used_at} /> : 'never') },
  ...(canWrite ? [ACTIONS] : []),
  { header: 'Key', cell: ({ label }) => <code>{label}</code> },
];

export function KeyState({ record }: { readonly record: KeyRecord }): ReactNode {
  if (record.disabled)
    return (
      <Badge color="gray" variant="default">
        Disabled
      </Badge>
    );
  const isExpired = record.expires_at !== null && Date.parse(record.expires_at) <= Date.now();
  return (
    <Badge color={isExpired ? 'orange' : 'green'} variant="outline">
      {isExpired ? 'Expired' : 'Active'}
    </Badge>
  );
}

export function KeysPage(): ReactNode {
  const keys = useKeys();
  const canWrite = useMay('keys.write');
  const nameOfWorkspace = useWorkspaceNames();
  const { workspace } = useScope();
  return (
    <Stack>
      <PageHeader
        title="Keys"
        about="The page of a key shows what it spent, by model. A secret is shown once, when it is made."
      >
        {canWrite && <CreateKey />}
      </PageHeader>
      <Loaded query={keys}>
        {(rows) => (
          <DataTable
            label="Keys"
            columns={columnsWith(nameOfWorkspace, canWrite)}
            rows={workspace ? rows.filter(({ workspace_id }) => workspace_id === workspace) : rows}
            rowKey={({ hash }) => hash}
            empty={workspace ? 'This workspace has no key.' : 'There is no key yet. Create one to call the API.'}
          />
        )}
      </Loaded>
    </Stack>
  );
}

import { Badge, Group, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useKeys } from '../../api/keys';
import type { KeyRecord } from '../../api/records';
import { Ago } from '../../components/ago';
import { DataTable, type Column } from '../../components/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { usd } from '../../format/amounts';
import { CREATE_KEY_ID, CreateKey } from './create-key';
import { DisableKey } from './key-actions';
import { NewSecret } from './new-secret';
import { PageLink } from '../../components/page-link';

const COLUMNS: readonly Column<KeyRecord>[] = [
  {
    header: 'Name',
    cell: ({ hash, name }) => (
      <PageLink to="/keys/$hash" params={{ hash }}>
        {name}
      </PageLink>
    ),
  },
  { header: 'State', cell: (key) => <KeyState record={key} /> },
  { header: 'Spent', cell: ({ usage }) => usd(usage), isNumeric: true },
  { header: 'This month', cell: ({ usage_monthly }) => usd(usage_monthly), isNumeric: true },
  {
    header: 'Limit',
    cell: ({ limit, limit_reset }) => (limit === null ? 'none' : `${usd(limit)} ${limit_reset ?? ''}`),
    isNumeric: true,
  },
  { header: 'Last used', cell: ({ last_used_at }) => (last_used_at ? <Ago iso={last_used_at} /> : 'never') },
  {
    header: 'Actions',
    cell: (key) => (
      <Group gap="xs" wrap="nowrap">
        <DisableKey record={key} />
      </Group>
    ),
  },
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
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Stack>
      <PageHeader
        title="Keys"
        about="The page of a key shows what it spent, by model. A secret is shown once, when it is made."
      >
        <CreateKey made={setSecret} />
      </PageHeader>
      <Loaded query={keys}>
        {(rows) => (
          <DataTable
            label="Keys"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ hash }) => hash}
            empty="There is no key yet. Create one to call the API."
          />
        )}
      </Loaded>
      <NewSecret secret={secret} close={() => setSecret(null)} opener={CREATE_KEY_ID} />
    </Stack>
  );
}

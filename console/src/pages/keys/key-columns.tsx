import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { KeySummary } from '../../api/records';
import { Ago } from '../../components/ago';
import type { Column } from '../../table/data-table';
import { PageLink } from '../../components/page-link';
import { plural, usd } from '../../format/amounts';
import { DisableKey } from './key-actions';
import { StateBadge } from './key-state';
import { LimitBar } from './limit-bar';

interface ColumnOptions {
  readonly canWrite: boolean;
  /** Whether the keys are of more than one workspace. */
  readonly hasWorkspaces: boolean;
}

const WORKSPACE: Column<KeySummary> = { header: 'Workspace', cell: ({ workspace_name }) => workspace_name };

const ACTIONS: Column<KeySummary> = {
  header: 'Actions',
  cell: ({ hash, name, state }) => <DisableKey hash={hash} name={name} disabled={state === 'disabled'} />,
};

/** The columns of the list of keys; the API sorts those with `sortParameter`. */
export const keyColumns = ({ canWrite, hasWorkspaces }: ColumnOptions): readonly Column<KeySummary>[] => [
  {
    header: 'Name',
    sortParameter: 'name',
    firstDirection: 'asc',
    cell: ({ hash, name }) => (
      <PageLink to="/keys/$hash" params={{ hash }}>
        {name}
      </PageLink>
    ),
  },
  { header: 'Limit', sortParameter: 'limit_used', cell: (key) => <LimitBar limit={key} /> },
  {
    header: 'Owner',
    cell: ({ creator_name }) =>
      creator_name ?? (
        <Text inherit c="dimmed">
          Nobody
        </Text>
      ),
  },
  ...(hasWorkspaces ? [WORKSPACE] : []),
  { header: 'State', cell: stateOf },
  {
    header: 'This month',
    sortParameter: 'usage_monthly',
    cell: ({ usage_monthly }) => usd(usage_monthly),
    isNumeric: true,
  },
  {
    header: 'Last used',
    sortParameter: 'last_used_at',
    cell: ({ last_used_at }) => (last_used_at ? <Ago iso={last_used_at} /> : 'Never'),
  },
  { header: 'Spent in all', sortParameter: 'usage', cell: ({ usage }) => usd(usage), isNumeric: true },
  { header: 'Created', sortParameter: 'created_at', cell: ({ created_at }) => <Ago iso={created_at} /> },
  { header: 'Key', cell: ({ label }) => <code>{label}</code> },
  ...(canWrite ? [ACTIONS] : []),
];

function stateOf({ state, former_secrets: former }: KeySummary): ReactNode {
  return (
    <Group gap={4} wrap="nowrap">
      <StateBadge state={state} />
      {former > 0 && (
        <Badge color="orange" variant="outline" tt="none">
          {plural(former, 'old secret')}
        </Badge>
      )}
    </Group>
  );
}

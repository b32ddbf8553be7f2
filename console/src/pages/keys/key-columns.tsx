import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { KeySummary } from '../../api/records';
import { Ago } from '../../components/ago';
import type { Column } from '../../table/data-table';
import { PageLink } from '../../components/page-link';
import { usd } from '../../format/amounts';
import { DisableKey } from './key-actions';
import { StateBadge } from './key-state';
import { LimitBar } from './limit-bar';
import { plural, t } from '../../text/translate';

interface ColumnOptions {
  readonly canWrite: boolean;
  /** Whether the keys belong to more than one workspace. */
  readonly hasWorkspaces: boolean;
}

const WORKSPACE: Column<KeySummary> = {
  header: t('Workspace'),
  cell: ({ workspace_name }) => workspace_name,
  isSecondary: true,
};

const ACTIONS: Column<KeySummary> = {
  header: t('Actions'),
  cell: ({ hash, name, state }) => <DisableKey hash={hash} name={name} disabled={state === 'disabled'} />,
};

/** The columns of the list of keys; the API can sort by columns with `sortParameter`. */
export const keyColumns = ({ canWrite, hasWorkspaces }: ColumnOptions): readonly Column<KeySummary>[] => [
  {
    header: t('Name'),
    sortParameter: 'name',
    firstDirection: 'asc',
    cell: ({ hash, name }) => (
      <PageLink to="/keys/$hash" params={{ hash }}>
        {name}
      </PageLink>
    ),
  },
  { header: t('Limit'), sortParameter: 'limit_used', cell: (key) => <LimitBar limit={key} /> },
  {
    header: t('Owner'),
    cell: ({ creator_name }) =>
      creator_name ?? (
        <Text inherit c="dimmed">
          {t('Nobody')}
        </Text>
      ),
  },
  ...(hasWorkspaces ? [WORKSPACE] : []),
  { header: t('State'), cell: stateOf },
  {
    header: t('This month'),
    sortParameter: 'usage_monthly',
    cell: ({ usage_monthly }) => usd(usage_monthly),
    isNumeric: true,
  },
  {
    header: t('Last used'),
    sortParameter: 'last_used_at',
    cell: ({ last_used_at }) => (last_used_at ? <Ago iso={last_used_at} /> : t('Never')),
  },
  {
    header: t('Created'),
    sortParameter: 'created_at',
    cell: ({ created_at }) => <Ago iso={created_at} />,
    isSecondary: true,
  },
  { header: t('Key'), cell: ({ label }) => <code>{label}</code>, isSecondary: true },
  ...(canWrite ? [ACTIONS] : []),
];

function stateOf({ state, former_secrets: former }: KeySummary): ReactNode {
  return (
    <Group gap={4} wrap="nowrap">
      <StateBadge state={state} />
      {former > 0 && (
        <Badge color="orange" variant="outline">
          {plural(former, '{count} old secret', '{count} old secrets')}
        </Badge>
      )}
    </Group>
  );
}

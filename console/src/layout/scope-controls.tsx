import { ActionIcon, Group, Select, Switch, Text } from '@mantine/core';
import { useDocumentVisibility, useInterval } from '@mantine/hooks';
import { useEffect, useState, type ReactNode } from 'react';
import { useWorkspaces } from '../api/workspaces';
import { clock } from '../format/times';
import { refresh, useScope, useScopeChange } from '../scope/use-scope';
import { Icon } from './icons';
import { RangeMenu } from './range-menu';

const LIVE_INTERVAL_MS = 10_000;

/** The workspace of all pages; on pages with figures also their time, and how old they are. */
export function ScopeControls({ hasTime }: { readonly hasTime: boolean }): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap">
      <WorkspaceSwitch />
      {hasTime && <RangeMenu />}
      {hasTime && <Freshness />}
    </Group>
  );
}

/** An account with one workspace has nothing to choose. */
function WorkspaceSwitch(): ReactNode {
  const { workspace } = useScope();
  const change = useScopeChange();
  const { data = [] } = useWorkspaces();
  if (data.length < 2 && !workspace) return null;
  return (
    <Select
      size="xs"
      className="workspace-switch"
      aria-label="Workspace"
      placeholder="All workspaces"
      data={[{ value: '', label: 'All workspaces' }, ...data.map(({ id, name }) => ({ value: id, label: name }))]}
      value={workspace ?? ''}
      onChange={(id) => change({ workspace: id || undefined })}
      allowDeselect={false}
      searchable
    />
  );
}

function Freshness(): ReactNode {
  const { asOf, zone } = useScope();
  const [isLive, setLive] = useState(false);
  const isVisible = useDocumentVisibility() === 'visible';
  const { start, stop } = useInterval(refresh, LIVE_INTERVAL_MS);
  useEffect(() => {
    if (!isLive || !isVisible) return undefined;
    start();
    return stop;
  }, [isLive, isVisible, start, stop]);
  return (
    <Group gap={6} wrap="nowrap">
      <ActionIcon variant="default" onClick={refresh} aria-label="Refresh" size={30}>
        <Icon name="refresh" size={14} />
      </ActionIcon>
      <Text key={zone} size="xs" c="dimmed" className="as-of" title="When these figures were read">
        as of {clock(asOf)}
      </Text>
      <Switch
        size="xs"
        visibleFrom="sm"
        label="Live"
        title="Reads the figures every 10 seconds"
        checked={isLive}
        onChange={(event) => setLive(event.currentTarget.checked)}
      />
    </Group>
  );
}

import { ActionIcon, Group, Select, Switch, Text } from '@mantine/core';
import { useDocumentVisibility, useInterval } from '@mantine/hooks';
import { useEffect, useState, type ReactNode } from 'react';
import { useWorkspaces } from '../api/workspaces';
import { clock } from '../format/times';
import { refresh, useScope, useScopeChange } from '../scope/use-scope';
import { Icon } from './icons';
import type { PageControls } from './navigation';
import { RangeMenu } from './range-menu';
import { t } from '../text/translate';

const LIVE_INTERVAL_MS = 10_000;

/** The workspace, the time range and the age of the figures, each on the pages that use it. */
export function ScopeControls({ hasWorkspace, hasTime = false, isOfNow = hasTime }: PageControls): ReactNode {
  return (
    <Group gap="xs" wrap="nowrap">
      {hasWorkspace && <WorkspaceSwitch />}
      {hasTime && <RangeMenu />}
      {isOfNow && <Freshness />}
    </Group>
  );
}

/** Shown before the workspaces are loaded, so that the controls next to it do not move. */
function WorkspaceSwitch(): ReactNode {
  const { workspace } = useScope();
  const change = useScopeChange();
  const { data = [] } = useWorkspaces();
  return (
    <Select
      size="xs"
      className="workspace-switch"
      aria-label={t('Workspace')}
      placeholder={t('All workspaces')}
      data={[{ value: '', label: t('All workspaces') }, ...data.map(({ id, name }) => ({ value: id, label: name }))]}
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
      <ActionIcon variant="default" onClick={refresh} aria-label={t('Refresh')} size={30}>
        <Icon name="refresh" size={14} />
      </ActionIcon>
      <Text key={zone} size="xs" c="dimmed" className="as-of" title={t('When these figures were read')}>
        {t('as of {time}', { time: clock(asOf) })}
      </Text>
      <Switch
        size="xs"
        visibleFrom="sm"
        label={t('Live')}
        title={t('Reads the figures every 10 seconds')}
        checked={isLive}
        onChange={(event) => setLive(event.currentTarget.checked)}
      />
    </Group>
  );
}

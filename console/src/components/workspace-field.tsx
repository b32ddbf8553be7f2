import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWorkspaces } from '../api/workspaces';
import { t } from '../text/translate';

interface WorkspaceFieldProps {
  readonly value: string | null | undefined;
  readonly onChange: (workspace: string | null) => void;
}

/** Selects the workspace in which a new object is created. */
export function WorkspaceField({ value, onChange }: WorkspaceFieldProps): ReactNode {
  const workspaces = useWorkspaces();
  return (
    <Select
      label={t('Workspace')}
      placeholder={t('Default')}
      data={(workspaces.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Clear the workspace') }}
    />
  );
}

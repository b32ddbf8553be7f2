import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWorkspaces } from '../api/workspaces';

interface WorkspaceFieldProps {
  readonly value: string | null | undefined;
  readonly onChange: (workspace: string | null) => void;
}

/** In which workspace a new thing is made. */
export function WorkspaceField({ value, onChange }: WorkspaceFieldProps): ReactNode {
  const workspaces = useWorkspaces();
  return (
    <Select
      label="Workspace"
      placeholder="Default"
      data={(workspaces.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the workspace' }}
    />
  );
}

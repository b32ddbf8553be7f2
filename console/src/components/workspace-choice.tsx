import { Select } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWorkspaces } from '../api/workspaces';

export interface WorkspaceSearch {
  readonly workspace?: string;
}

/** Keeps what is well-formed of an address. */
export const workspaceSearch = ({ workspace }: Record<string, unknown>): WorkspaceSearch =>
  typeof workspace === 'string' && workspace !== '' ? { workspace } : {};

interface WorkspaceChoice {
  /** Undefined = all. */
  readonly workspace: string | undefined;
  readonly onChange: (workspace: string | null) => void;
}

/** The workspace in the address of a page of things that belong to workspaces. */
export function useWorkspaceChoice(page: '/keys' | '/provider-credentials' | '/files'): WorkspaceChoice {
  const { workspace } = useSearch({ from: page });
  const navigate = useNavigate({ from: page });
  return {
    workspace,
    onChange: (chosen) => void navigate({ search: chosen === null ? {} : { workspace: chosen }, replace: true }),
  };
}

interface WorkspaceFieldProps {
  readonly value: string | null | undefined;
  readonly onChange: (workspace: string | null) => void;
}

/** In which workspace a new thing is made. */
export function WorkspaceField({ value, onChange }: WorkspaceFieldProps): ReactNode {
  return <WorkspaceSelect placeholder="Default" value={value} onChange={onChange} />;
}

/** Narrows a list to one workspace. An account with one has nothing to choose. */
export function WorkspaceFilter({ value, onChange }: WorkspaceFieldProps): ReactNode {
  const workspaces = useWorkspaces();
  if ((workspaces.data?.length ?? 0) < 2 && !value) return null;
  return <WorkspaceSelect placeholder="All" value={value} onChange={onChange} maxWidth={280} />;
}

interface WorkspaceSelectProps extends WorkspaceFieldProps {
  readonly placeholder: string;
  readonly maxWidth?: number;
}

function WorkspaceSelect({ placeholder, value, onChange, maxWidth }: WorkspaceSelectProps): ReactNode {
  const workspaces = useWorkspaces();
  return (
    <Select
      label="Workspace"
      placeholder={placeholder}
      data={(workspaces.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the workspace' }}
      maw={maxWidth}
    />
  );
}

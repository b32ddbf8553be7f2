import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callableModels } from '../../api/models';
import type { ModelRecord } from '../../api/records';
import { useWorkspaces } from '../../api/workspaces';

const ELIZA = 'builtin/eliza';
const ABOUT_ELIZA = `${ELIZA} is a small program that follows rules, not a language model.`;
const MAX_SHOWN = 100;

interface ModelFieldProps {
  /** Null = the default of the workspace. */
  readonly value: string | null;
  readonly workspaceId: string | null;
  readonly onChange: (model: string | null) => void;
}

/** The model that an intern thinks with: one that the session can call now, or the default of the workspace. */
export function ModelField({ value, workspaceId, onChange }: ModelFieldProps): ReactNode {
  const { data: models } = useQuery(callableModels);
  const { data: workspaces } = useWorkspaces();
  const workspace = workspaces?.find(({ id }) => id === workspaceId);
  return (
    <Select
      label="Model"
      description={aboutChoice(value, workspace && (workspace.default_text_model ?? ELIZA), models)}
      placeholder="Default of the workspace"
      data={choicesOf(models ?? [], value)}
      limit={MAX_SHOWN}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the model' }}
      value={value}
      onChange={onChange}
    />
  );
}

/** What the choice means; `standard` is the default of the workspace, where the session may read it. */
function aboutChoice(
  value: string | null,
  standard: string | undefined,
  models: readonly ModelRecord[] | undefined,
): string | undefined {
  if (value === ELIZA) return ABOUT_ELIZA;
  if (value !== null)
    return models?.some(({ id }) => id === value) === false ? 'This model cannot be called now.' : undefined;
  if (standard === undefined) return `Empty: the default of the workspace. Without one, it is ${ABOUT_ELIZA}`;
  return standard === ELIZA ? `Empty: ${ABOUT_ELIZA}` : `Empty: ${standard}, the default of the workspace.`;
}

/** Language models before the programs that are built in. A model that cannot be called any more stays a choice. */
function choicesOf(models: readonly ModelRecord[], value: string | null) {
  const ids = models
    .filter(({ architecture }) => architecture.output_modalities.includes('text'))
    .map(({ id }) => id)
    .toSorted();
  if (value !== null && !ids.includes(value)) ids.unshift(value);
  const isBuiltIn = (id: string): boolean => id.startsWith('builtin/');
  return [
    { group: 'Language models', items: ids.filter((id) => !isBuiltIn(id)) },
    { group: 'Built in', items: ids.filter(isBuiltIn) },
  ].filter(({ items }) => items.length > 0);
}

import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callableModels } from '../../api/models';
import type { ModelRecord } from '../../api/records';
import { useWorkspaces } from '../../api/workspaces';
import { t } from '../../text/translate';

const ELIZA = 'builtin/eliza';
const ABOUT_ELIZA = t('It is a small program that follows rules, not a language model.');
const MAX_SHOWN = 100;

interface ModelFieldProps {
  /** Null = the default of the workspace. */
  readonly value: string | null;
  readonly workspaceId: string | null;
  readonly onChange: (model: string | null) => void;
}

/** Selects the model of an intern: one that the session can call now, or the default of the workspace. */
export function ModelField({ value, workspaceId, onChange }: ModelFieldProps): ReactNode {
  const { data: models } = useQuery(callableModels);
  const { data: workspaces } = useWorkspaces();
  const workspace = workspaces?.find(({ id }) => id === workspaceId);
  return (
    <Select
      label={t('Model')}
      description={aboutChoice(value, workspace && (workspace.default_text_model ?? ELIZA), models)}
      placeholder={t('Default of the workspace')}
      data={choicesOf(models ?? [], value)}
      limit={MAX_SHOWN}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Clear the model') }}
      value={value}
      onChange={onChange}
    />
  );
}

/** Describes a choice. `standard`: the default of the workspace, if the session may read it. */
function aboutChoice(
  value: string | null,
  standard: string | undefined,
  models: readonly ModelRecord[] | undefined,
): string | undefined {
  if (value === ELIZA) return ABOUT_ELIZA;
  if (value !== null)
    return models?.some(({ id }) => id === value) === false ? t('This model cannot be called now.') : undefined;
  if (standard === undefined)
    return t('Empty: the default of the workspace, or {eliza} where there is none. {aboutEliza}', {
      eliza: ELIZA,
      aboutEliza: ABOUT_ELIZA,
    });
  return standard === ELIZA
    ? t('Empty: {eliza}. {aboutEliza}', { eliza: ELIZA, aboutEliza: ABOUT_ELIZA })
    : t('Empty: {standard}, the default of the workspace.', { standard });
}

/** Language models are before built-in programs. The current model is a choice even if it can no longer be called. */
function choicesOf(models: readonly ModelRecord[], value: string | null) {
  const ids = models
    .filter(({ architecture }) => architecture.output_modalities.includes('text'))
    .map(({ id }) => id)
    .toSorted();
  if (value !== null && !ids.includes(value)) ids.unshift(value);
  const isBuiltIn = (id: string): boolean => id.startsWith('builtin/');
  return [
    { group: t('Language models'), items: ids.filter((id) => !isBuiltIn(id)) },
    { group: t('Built in'), items: ids.filter(isBuiltIn) },
  ].filter(({ items }) => items.length > 0);
}

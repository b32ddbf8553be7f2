import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { internsChanged } from '../../api/interns';
import type { InternRecord } from '../../api/records';
import { SavedForm } from '../../components/saved-form';
import { ModelField } from './model-field';
import { TextFields } from './text-fields';
import { t } from '../../text/translate';

/** The texts of the intern, and its model. */
export function InternFields({ intern }: { readonly intern: InternRecord }): ReactNode {
  const { id, name, description, instructions, model, workspace_id: workspaceId } = intern;
  const initial = { name, description: description ?? '', instructions: instructions ?? '', model };
  const save = async (_values: typeof initial, changes: Partial<typeof initial>): Promise<void> => {
    const emptied = Object.entries(changes).map(([field, value]) => [field, value || null]);
    await api.PATCH('/api/v1/interns/{id}', { params: { path: { id } }, body: Object.fromEntries(emptied) });
    await internsChanged();
  };
  return (
    <SavedForm title={t('Intern')} initial={initial} onSave={save}>
      {(values, change) => (
        <>
          <TextInput
            label={t('Name')}
            required
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextFields values={values} onChange={change} />
          <ModelField value={values.model} workspaceId={workspaceId} onChange={(chosen) => change({ model: chosen })} />
        </>
      )}
    </SavedForm>
  );
}

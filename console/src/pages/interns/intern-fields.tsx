import { Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { internsChanged } from '../../api/interns';
import { callableModels } from '../../api/models';
import type { InternRecord } from '../../api/records';
import { SavedForm } from '../../components/saved-form';

/** What the intern is and with which model it thinks. */
export function InternFields({ intern }: { readonly intern: InternRecord }): ReactNode {
  const models = useQuery(callableModels);
  const choices = (models.data ?? [])
    .filter(({ architecture }) => architecture.output_modalities.includes('text'))
    .map(({ id }) => id);
  const { id, name, description, instructions, model } = intern;
  const initial = { name, description: description ?? '', instructions: instructions ?? '', model };
  const save = async (_values: typeof initial, changes: Partial<typeof initial>): Promise<void> => {
    const emptied = Object.entries(changes).map(([field, value]) => [field, value || null]);
    await api.PATCH('/api/v1/interns/{id}', { params: { path: { id } }, body: Object.fromEntries(emptied) });
    await internsChanged();
  };
  return (
    <SavedForm title="Intern" initial={initial} onSave={save}>
      {(values, change) => (
        <>
          <TextInput
            label="Name"
            required
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Description"
            value={values.description}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
          <Textarea
            label="Instructions"
            autosize
            minRows={3}
            value={values.instructions}
            onChange={(event) => change({ instructions: event.currentTarget.value })}
          />
          <Select
            label="Model"
            placeholder="Default of the workspace"
            data={[...new Set([...(model ? [model] : []), ...choices])]}
            limit={100}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': 'Clear the model' }}
            value={values.model}
            onChange={(chosen) => change({ model: chosen })}
          />
        </>
      )}
    </SavedForm>
  );
}

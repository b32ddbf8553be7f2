import { Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { internsChanged } from '../../api/interns';
import { useSignedIn } from '../../api/session';
import { FormModal } from '../../components/form-modal';
import { ModelField } from './model-field';
import { TextFields } from './text-fields';
import { t } from '../../text/translate';

const INITIAL = { name: '', model: null as string | null, description: '', instructions: '', provision: true };

/**
 * Sets the model before the start, because the creation does not accept one. A repeated creation returns the same
 * intern, so that a form that failed halfway can be sent again.
 */
async function create({ name, model, description, instructions, provision }: typeof INITIAL): Promise<void> {
  const texts = { name, description: description || null, instructions: instructions || null };
  const isStarted = provision && model === null;
  const { id } = await body(api.POST('/api/v1/interns', { body: { ...texts, provision: isStarted } }));
  if (model !== null) {
    const path = { params: { path: { id } } };
    await api.PATCH('/api/v1/interns/{id}', { ...path, body: { model } });
    if (provision) await api.POST('/api/v1/interns/{id}/provision', path);
  }
  await internsChanged();
}

export function CreateIntern(): ReactNode {
  const { workspace_id: workspaceId } = useSignedIn();
  return (
    <FormModal
      label={t('Create')}
      aria-label={t('Create intern')}
      title={t('Create an intern')}
      action={t('Create')}
      initial={INITIAL}
      onSubmit={create}
    >
      {(values, change) => (
        <>
          <TextInput
            label={t('Name')}
            description={t('Lower-case words joined by hyphens, such as night-watch')}
            required
            data-autofocus
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <ModelField value={values.model} workspaceId={workspaceId} onChange={(model) => change({ model })} />
          <TextFields values={values} onChange={change} />
          <Switch
            label={t('Start it at once')}
            checked={values.provision}
            onChange={({ currentTarget: { checked } }) => change({ provision: checked })}
          />
        </>
      )}
    </FormModal>
  );
}

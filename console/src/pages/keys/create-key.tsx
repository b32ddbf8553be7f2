import { NumberInput, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { keysChanged } from '../../api/keys';
import { FormModal } from '../../components/form-modal';
import { WorkspaceField } from '../../components/workspace-field';
import { RESET_CHOICES, resetOf } from '../../format/resets';
import { CountsByokSwitch } from './counts-byok-switch';
import { showSecret } from './shown-secret';

export const CREATE_KEY_ID = 'create-key';

const INITIAL = {
  name: '',
  limit: '' as string | number,
  limit_reset: RESET_CHOICES[0]! as string | null,
  expires: '',
  workspace: null as string | null,
  countsByok: false,
};

async function create(values: typeof INITIAL): Promise<void> {
  const { key } = await body(
    api.POST('/api/v1/keys', {
      body: {
        name: values.name,
        ...(values.limit === '' ? {} : { limit: Number(values.limit) }),
        limit_reset: resetOf(values.limit_reset),
        expires_at: values.expires ? new Date(values.expires).toISOString() : null,
        include_byok_in_limit: values.countsByok,
        ...(values.workspace ? { workspace_id: values.workspace } : {}),
      },
    }),
  );
  showSecret(key, CREATE_KEY_ID);
  await keysChanged();
}

/** The secret of the new key is shown once. */
export function CreateKey(): ReactNode {
  return (
    <FormModal
      label="Create"
      id={CREATE_KEY_ID}
      aria-label="Create key"
      title="Create a key"
      action="Create"
      initial={INITIAL}
      onSubmit={create}
    >
      {(values, change) => (
        <>
          <TextInput
            label="Name"
            required
            data-autofocus
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <NumberInput
            label="Limit, USD"
            description="Empty: no limit"
            min={0}
            decimalScale={9}
            value={values.limit}
            onChange={(limit) => change({ limit })}
          />
          <Select
            label="Limit resets"
            data={RESET_CHOICES}
            value={values.limit_reset}
            onChange={(limit_reset) => change({ limit_reset })}
            allowDeselect={false}
          />
          <CountsByokSwitch checked={values.countsByok} onChange={(countsByok) => change({ countsByok })} />
          <TextInput
            type="datetime-local"
            label="Expires"
            description="Empty: never"
            value={values.expires}
            onChange={(event) => change({ expires: event.currentTarget.value })}
          />
          <WorkspaceField value={values.workspace} onChange={(workspace) => change({ workspace })} />
        </>
      )}
    </FormModal>
  );
}

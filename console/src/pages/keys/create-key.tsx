import { NumberInput, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { keysChanged } from '../../api/keys';
import { useWorkspaces } from '../../api/workspaces';
import { FormModal } from '../../components/form-modal';
import { RESET_CHOICES, resetOf } from '../../format/resets';

export const CREATE_KEY_ID = 'create-key';

const INITIAL = {
  name: '',
  limit: '' as string | number,
  limit_reset: RESET_CHOICES[0]! as string | null,
  expires: '',
  workspace: null as string | null,
};

async function create(values: typeof INITIAL): Promise<string> {
  const { key } = await body(
    api.POST('/api/v1/keys', {
      body: {
        name: values.name,
        limit: values.limit === '' ? null : Number(values.limit),
        limit_reset: resetOf(values.limit_reset),
        expires_at: values.expires ? new Date(values.expires).toISOString() : null,
        ...(values.workspace ? { workspace_id: values.workspace } : {}),
      },
    }),
  );
  await keysChanged();
  return key;
}

/** `made` gets the secret of the new key. */
export function CreateKey({ made }: { readonly made: (secret: string) => void }): ReactNode {
  const workspaces = useWorkspaces();
  return (
    <FormModal
      label="Create"
      id={CREATE_KEY_ID}
      aria-label="Create key"
      title="Create a key"
      action="Create"
      initial={INITIAL}
      send={async (values: typeof INITIAL) => made(await create(values))}
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
          <TextInput
            type="datetime-local"
            label="Expires"
            description="Empty: never"
            value={values.expires}
            onChange={(event) => change({ expires: event.currentTarget.value })}
          />
          <Select
            label="Workspace"
            placeholder="Default"
            clearable
            data={(workspaces.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={values.workspace}
            onChange={(workspace) => change({ workspace })}
          />
        </>
      )}
    </FormModal>
  );
}

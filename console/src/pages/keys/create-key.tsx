import { NumberInput, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { keysChanged } from '../../api/keys';
import type { KeyRecord } from '../../api/records';
import { FormModal } from '../../components/form-modal';
import { WorkspaceField } from '../../components/workspace-field';
import { RESET_CHOICES, resetOf } from '../../format/resets';
import { useScope } from '../../scope/use-scope';
import { CountsByokSwitch } from './counts-byok-switch';
import { showSecret } from './shown-secret';

export const CREATE_KEY_ID = 'create-key';

export interface CreatedKey {
  readonly record: KeyRecord;
  readonly secret: string;
}

interface CreateKeyProps {
  /** Default: Create. */
  readonly label?: string;
  readonly onCreated?: (created: CreatedKey) => void;
}

const INITIAL = {
  name: '',
  limit: '' as string | number,
  limit_reset: RESET_CHOICES[0]! as string | null,
  expires: '',
  workspace: null as string | null,
  countsByok: false,
};

async function create(values: typeof INITIAL): Promise<CreatedKey> {
  const { key, data } = await body(
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
  return { record: data, secret: key };
}

/** The secret of the new key is shown once. */
export function CreateKey({ label, onCreated }: CreateKeyProps): ReactNode {
  const { workspace } = useScope();
  const submit = async (values: typeof INITIAL): Promise<void> => {
    const created = await create(values);
    onCreated?.(created);
  };
  return (
    <FormModal
      label={label ?? 'Create'}
      id={CREATE_KEY_ID}
      aria-label={label ?? 'Create key'}
      title="Create a key"
      action="Create"
      initial={{ ...INITIAL, workspace: workspace ?? null }}
      onSubmit={submit}
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

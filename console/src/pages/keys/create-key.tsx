import { NumberInput, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { keysChanged } from '../../api/keys';
import type { KeyRecord } from '../../api/records';
import { useSignedIn } from '../../api/session';
import { FormModal } from '../../components/form-modal';
import { NamePicker } from '../../names/name-picker';
import { WorkspaceField } from '../../components/workspace-field';
import { RESET_CHOICES, resetOf } from '../../format/resets';
import { useScope } from '../../scope/use-scope';
import { CountsByokSwitch } from './counts-byok-switch';
import { showSecret } from './shown-secret';
import { t } from '../../text/translate';

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
  owner: undefined as string | undefined,
  limit: '' as string | number,
  limit_reset: 'monthly' as string | null,
  expires: '',
  workspace: null as string | null,
  countsByok: false,
};

async function create(values: typeof INITIAL): Promise<CreatedKey> {
  const { key, data } = await body(
    api.POST('/api/v1/keys', {
      body: {
        name: values.name,
        ...(values.limit === '' ? {} : { limit: Number(values.limit), limit_reset: resetOf(values.limit_reset) }),
        creator_user_id: values.owner,
        expires_at: values.expires ? new Date(values.expires).toISOString() : null,
        include_byok_in_limit: values.countsByok,
        ...(values.workspace ? { workspace_id: values.workspace } : {}),
      },
    }),
  );
  showSecret(key, CREATE_KEY_ID, values.owner);
  // Not awaited, because the form would stay open behind the secret until the list has been read again.
  void keysChanged();
  return { record: data, secret: key };
}

/** Creates a key and shows its secret once. */
export function CreateKey({ label, onCreated }: CreateKeyProps): ReactNode {
  const { workspace } = useScope();
  const { role } = useSignedIn();
  const submit = async (values: typeof INITIAL): Promise<void> => {
    const created = await create(values);
    onCreated?.(created);
  };
  return (
    <FormModal
      label={label ?? t('Create')}
      id={CREATE_KEY_ID}
      aria-label={label ?? t('Create key')}
      title={t('Create a key')}
      action={t('Create')}
      initial={{ ...INITIAL, workspace: workspace ?? null }}
      onSubmit={submit}
    >
      {(values, change) => (
        <>
          <TextInput
            label={t('Name')}
            required
            data-autofocus
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          {(role === 'owner' || role === 'admin') && (
            <NamePicker
              kind="person"
              label={t('Owner')}
              placeholder={t('You')}
              value={values.owner}
              onChange={(owner) => change({ owner })}
            />
          )}
          <NumberInput
            label={t('Limit, USD')}
            description={t('Empty: no limit')}
            min={0}
            decimalScale={9}
            value={values.limit}
            onChange={(limit) => change({ limit })}
          />
          <Select
            label={t('Limit resets')}
            disabled={values.limit === ''}
            data={RESET_CHOICES}
            value={values.limit_reset}
            onChange={(limit_reset) => change({ limit_reset })}
            allowDeselect={false}
          />
          <CountsByokSwitch checked={values.countsByok} onChange={(countsByok) => change({ countsByok })} />
          <TextInput
            type="datetime-local"
            label={t('Expires')}
            description={t('Empty: never')}
            value={values.expires}
            onChange={(event) => change({ expires: event.currentTarget.value })}
          />
          <WorkspaceField value={values.workspace} onChange={(workspace) => change({ workspace })} />
        </>
      )}
    </FormModal>
  );
}

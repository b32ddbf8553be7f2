import { NumberInput, Select, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { keysChanged, useKeySettings } from '../../api/keys';
import { queries } from '../../api/queries';
import { QUERY_KEYS } from '../../api/query-keys';
import type { KeyRecord } from '../../api/records';
import { ConfirmButton } from '../../components/confirm-button';
import { FormModal } from '../../components/form-modal';
import { RaiseLimit } from '../../components/raise-limit';
import { NO_RESET, RESET_CHOICES, resetOf } from '../../format/resets';
import { CountsByokSwitch } from './counts-byok-switch';
import { t } from '../../text/translate';

interface KeyProps {
  readonly record: KeyRecord;
}
interface SwitchedKeyProps {
  readonly hash: string;
  readonly name: string;
  readonly disabled: boolean;
}
type Change = Partial<Pick<KeyRecord, 'name' | 'disabled' | 'limit' | 'limit_reset' | 'include_byok_in_limit'>>;

async function change(hash: string, body: Change): Promise<void> {
  await api.PATCH('/api/v1/keys/{hash}', { params: { path: { hash } }, body });
  await keysChanged();
}

export function DisableKey({ hash, name, disabled }: SwitchedKeyProps): ReactNode {
  return (
    <ConfirmButton
      label={disabled ? t('Enable') : t('Disable')}
      subject={name}
      question={disabled ? undefined : t('Its calls are refused from now on. It can be enabled again.')}
      onConfirm={() => change(hash, { disabled: !disabled })}
    />
  );
}

export function DeleteKey({ record: { hash, name } }: KeyProps): ReactNode {
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await api.DELETE('/api/v1/keys/{hash}', { params: { path: { hash } } });
    await navigate({ to: '/keys' });
    await keysChanged();
  };
  return (
    <ConfirmButton
      label={t('Delete')}
      isRemoval
      subject={name}
      question={t('Its calls are refused from now on. Its usage stays in the records.')}
      onConfirm={remove}
    />
  );
}

/** Sends only the changed members, so that it does not overwrite changes of others. */
export function EditKey({ record }: KeyProps): ReactNode {
  const initial = {
    name: record.name,
    limit: record.limit ?? ('' as string | number),
    reset: record.limit_reset ?? NO_RESET,
    countsByok: record.include_byok_in_limit,
  };
  return (
    <FormModal
      label={t('Edit')}
      title={t('Edit the key')}
      action={t('Save')}
      size="compact-sm"
      variant="default"
      initial={initial}
      onSubmit={(_values, { name, limit, reset, countsByok }: Partial<typeof initial>) =>
        change(record.hash, {
          ...(name === undefined ? {} : { name }),
          ...(limit === undefined ? {} : { limit: limit === '' ? null : Number(limit) }),
          ...(reset === undefined ? {} : { limit_reset: resetOf(reset) }),
          ...(countsByok === undefined ? {} : { include_byok_in_limit: countsByok }),
        })
      }
    >
      {(values, edit) => (
        <>
          <TextInput
            label={t('Name')}
            required
            value={values.name}
            onChange={(event) => edit({ name: event.currentTarget.value })}
          />
          <NumberInput
            label={t('Limit, USD')}
            description={t('Empty: no limit')}
            min={0}
            decimalScale={9}
            value={values.limit}
            onChange={(limit) => edit({ limit })}
          />
          <Select
            label={t('Limit resets')}
            data={RESET_CHOICES}
            value={values.reset}
            onChange={(reset) => reset && edit({ reset })}
            allowDeselect={false}
          />
          <CountsByokSwitch checked={values.countsByok} onChange={(countsByok) => edit({ countsByok })} />
        </>
      )}
    </FormModal>
  );
}

/** Raises the limit of a key that has one. */
export function RaiseKeyLimit({ record: { hash, name, limit } }: KeyProps): ReactNode {
  const settings = useKeySettings(hash);
  const path = { params: { path: { hash } } };
  const changed = (): Promise<unknown> =>
    Promise.all([keysChanged(), queries.invalidateQueries({ queryKey: QUERY_KEYS.keySettings(hash) })]);
  if (limit === null || !settings.data) return null;
  return (
    <RaiseLimit
      limit={limit}
      raise={settings.data.raise}
      subject={name}
      onRaise={async (wanted) => {
        await api.PUT('/api/v1/keys/{hash}/raise', { ...path, body: wanted });
        await changed();
      }}
      onEnd={async () => {
        await api.DELETE('/api/v1/keys/{hash}/raise', path);
        await changed();
      }}
    />
  );
}

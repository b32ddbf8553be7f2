import { NumberInput, Select, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { keyReplaced, keysChanged, useKeySettings } from '../../api/keys';
import { queries } from '../../api/queries';
import { QUERY_KEYS } from '../../api/query-keys';
import type { KeyRecord } from '../../api/records';
import { ConfirmButton } from '../../components/confirm-button';
import { FormModal } from '../../components/form-modal';
import { RaiseLimit } from '../../components/raise-limit';
import { RESET_CHOICES, resetOf } from '../../format/resets';
import { CountsByokSwitch } from './counts-byok-switch';
import { showSecret } from './shown-secret';

interface KeyProps {
  readonly record: KeyRecord;
}
type Change = Partial<Pick<KeyRecord, 'name' | 'disabled' | 'limit' | 'limit_reset' | 'include_byok_in_limit'>>;

async function change(hash: string, body: Change): Promise<void> {
  await api.PATCH('/api/v1/keys/{hash}', { params: { path: { hash } }, body });
  await keysChanged();
}

export function DisableKey({ record: { hash, name, disabled } }: KeyProps): ReactNode {
  return (
    <ConfirmButton
      label={disabled ? 'Enable' : 'Disable'}
      subject={name}
      question={disabled ? undefined : 'Its calls are refused from now on. It can be enabled again.'}
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
      label="Delete"
      subject={name}
      question="Its calls are refused from now on. Its usage stays in the records."
      onConfirm={remove}
    />
  );
}

export function EditKey({ record }: KeyProps): ReactNode {
  const initial = {
    name: record.name,
    limit: record.limit ?? ('' as string | number),
    reset: record.limit_reset ?? 'never',
    countsByok: record.include_byok_in_limit,
  };
  return (
    <FormModal
      label="Edit"
      title="Edit the key"
      action="Save"
      size="compact-sm"
      variant="default"
      initial={initial}
      onSubmit={({ name, limit, reset, countsByok }: typeof initial) =>
        change(record.hash, {
          name,
          limit: limit === '' ? null : Number(limit),
          limit_reset: resetOf(reset),
          include_byok_in_limit: countsByok,
        })
      }
    >
      {(values, edit) => (
        <>
          <TextInput
            label="Name"
            required
            value={values.name}
            onChange={(event) => edit({ name: event.currentTarget.value })}
          />
          <NumberInput
            label="Limit, USD"
            description="Empty: no limit"
            min={0}
            decimalScale={9}
            value={values.limit}
            onChange={(limit) => edit({ limit })}
          />
          <Select
            label="Limit resets"
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

/** For a key with a limit. */
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

export const ROTATE_KEY_ID = 'rotate-key';

const GRACES = [
  { value: '0', label: 'none: refuse the old secret now' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
];

/** The new secret is shown once, on the page of the new hash: the old one may lead nowhere from now on. */
export function RotateKey({ record: { hash } }: KeyProps): ReactNode {
  const navigate = useNavigate();
  const rotate = async ({ grace }: { grace: string }): Promise<void> => {
    const call = api.POST('/api/v1/keys/{hash}/rotate', {
      params: { path: { hash } },
      body: { grace_seconds: Number(grace) },
    });
    const { data, key } = await body(call);
    showSecret(key, ROTATE_KEY_ID);
    keyReplaced(data);
    await navigate({ to: '/keys/$hash', params: { hash: data.hash }, replace: true });
    await keysChanged();
  };
  return (
    <FormModal
      id={ROTATE_KEY_ID}
      label="Rotate"
      title="Rotate the secret"
      action="Rotate"
      size="compact-sm"
      variant="default"
      initial={{ grace: '86400' }}
      onSubmit={rotate}
    >
      {({ grace }, edit) => (
        <Select
          label="Grace"
          description="For how long the old secret works beside the new one. Both spend from one limit."
          data={GRACES}
          value={grace}
          onChange={(value) => value && edit({ grace: value })}
          allowDeselect={false}
        />
      )}
    </FormModal>
  );
}

import { Alert, Select, Switch, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { channelsChanged, ofChannel } from '../../api/channels';
import { api } from '../../api/client';
import { ownModelsChanged, updateOwnProvider } from '../../api/own-providers';
import type { ChannelRecord, OwnProvider } from '../../api/records';
import { FormModal } from '../../components/form-modal';
import { KeyField, type KeyFieldProps } from '../../components/provider-fields';
import { nameOf } from '../channels/channel-words';
import { idFrom } from './model-values';
import { t } from '../../text/translate';

const FORMATS: readonly { readonly value: OwnProvider['format']; readonly label: string }[] = [
  { value: 'chat', label: t('OpenAI: /chat/completions') },
  { value: 'responses', label: t('OpenAI: /responses alone') },
  { value: 'messages', label: t('Anthropic: /messages') },
  { value: 'gemini', label: t('Gemini: /models/…:generateContent') },
];

const NEW_PROVIDER = {
  name: '',
  slug: '',
  format: 'chat' as OwnProvider['format'],
  base_url: '',
  needs_credential: true,
  key: '',
};

const storeKey = (provider: string, key: string): Promise<unknown> =>
  api.POST('/api/v1/providers/credentials', { body: { provider, key } });

/** Adds a provider and stores its key; `onAdded` gets its slug. */
export function AddProvider({ onAdded }: { readonly onAdded: (slug: string) => void }): ReactNode {
  const add = async ({ key, name, ...provider }: typeof NEW_PROVIDER): Promise<void> => {
    await api.POST('/api/v1/providers', { body: { ...provider, name: name.trim() || null } });
    // If the key is refused, the provider stays. The page shows that the key is missing.
    await (provider.needs_credential ? storeKey(provider.slug, key) : undefined)?.catch(() => undefined);
    await Promise.all([ownModelsChanged(), channelsChanged()]);
    onAdded(provider.slug);
  };
  return (
    <FormModal
      label={t('Add a provider')}
      title={t('Add a provider')}
      action={t('Add and find its models')}
      initial={NEW_PROVIDER}
      onSubmit={add}
    >
      {(values, change) => (
        <>
          <TextInput
            label={t('Name')}
            required
            maxLength={255}
            autoComplete="off"
            value={values.name}
            onChange={({ currentTarget: { value: name } }) => change({ name, slug: slugFrom(name) })}
          />
          <TextInput
            label={t('Slug')}
            description={t('Its models are called {slug}/<id>. It does not change', { slug: values.slug || '…' })}
            required
            autoComplete="off"
            value={values.slug}
            onChange={(event) => change({ slug: event.currentTarget.value })}
          />
          <Select
            label={t('Format')}
            description={t('What the server speaks. Callers can use every format')}
            allowDeselect={false}
            data={[...FORMATS]}
            value={values.format}
            onChange={(format) => change({ format: format ?? 'chat' })}
          />
          <AddressField value={values.base_url} onChange={(address) => change({ base_url: address })} />
          <Switch
            label={t('Calls need a key')}
            checked={values.needs_credential}
            onChange={({ currentTarget: { checked } }) => change({ needs_credential: checked })}
          />
          {values.needs_credential && <KeyField required value={values.key} onChange={(key) => change({ key })} />}
        </>
      )}
    </FormModal>
  );
}

const slugFrom = (name: string): string =>
  idFrom(name.toLowerCase()).replaceAll(/[._]+/g, '-').replace(/-+$/, '').slice(0, 63);

function AddressField({ value, onChange }: Pick<KeyFieldProps, 'value' | 'onChange'>): ReactNode {
  return (
    <TextInput
      label={t('Address')}
      description={t('What comes before /models, such as https://models.example.com/v1')}
      required
      inputMode="url"
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function AddKey({ provider, onAdded }: { readonly provider: string; readonly onAdded: () => void }): ReactNode {
  const add = async ({ key }: { readonly key: string }): Promise<void> => {
    await storeKey(provider, key);
    await channelsChanged();
    onAdded();
  };
  return (
    <FormModal
      label={t('Add its key')}
      aria-label={t('Add the key of {provider}', { provider })}
      title={t('Key of {provider}', { provider })}
      action={t('Add')}
      size="compact-sm"
      initial={{ key: '' }}
      onSubmit={add}
    >
      {({ key }, change) => <KeyField required value={key} onChange={(entered) => change({ key: entered })} />}
    </FormModal>
  );
}

interface EditProviderProps {
  readonly provider: OwnProvider;
  readonly channels: readonly ChannelRecord[];
}

interface PrivacyValues {
  readonly policy_url: string;
  readonly zero_data_retention: boolean;
}

/** `isUnknown`: the data retention is unknown, and stays so unless the switch is turned on. */
const privacyOf = ({ policy_url, zero_data_retention }: PrivacyValues, isUnknown: boolean) => ({
  ...(policy_url.trim() === '' ? {} : { policy_url: policy_url.trim() }),
  ...(isUnknown && !zero_data_retention ? {} : { zero_data_retention }),
});

/** With a new address, all keys must be entered again, because a stored key is not sent to another server. */
export function EditProvider({ provider, channels }: EditProviderProps): ReactNode {
  const { slug, privacy } = provider;
  const initial = {
    name: provider.name ?? '',
    base_url: provider.base_url,
    policy_url: privacy.policy_url ?? '',
    zero_data_retention: privacy.zero_data_retention ?? false,
    keys: {} as Readonly<Record<string, string>>,
  };
  const followers = channels.filter(({ base_url: own }) => own === null);
  const isMoved = (address: string): boolean => address.trim() !== provider.base_url;
  const save = async (values: typeof initial, changes: Partial<typeof initial>): Promise<void> => {
    const address = values.base_url.trim();
    const hasOtherPrivacy = changes.policy_url !== undefined || changes.zero_data_retention !== undefined;
    const send = (id: string, base_url: string | null): Promise<unknown> =>
      api.PATCH('/api/v1/providers/credentials/{id}', {
        ...ofChannel(id),
        body: { base_url, key: values.keys[id] ?? '' },
      });
    const moved = isMoved(address) ? followers : [];
    for (const { id } of moved) await send(id, address);
    await updateOwnProvider(slug, {
      ...(changes.name === undefined ? {} : { name: values.name.trim() || null }),
      ...(changes.base_url === undefined ? {} : { base_url: address }),
      ...(hasOtherPrivacy ? { privacy: privacyOf(values, privacy.zero_data_retention === null) } : {}),
    });
    // The credentials use the provider's address again.
    for (const { id } of moved) await send(id, null);
    await Promise.all([ownModelsChanged(), channelsChanged()]);
  };
  return (
    <FormModal
      label={t('Edit')}
      aria-label={t('Edit {slug}', { slug })}
      title={t('Edit {slug}', { slug })}
      action={t('Save')}
      size="compact-sm"
      variant="default"
      initial={initial}
      onSubmit={save}
    >
      {(values, change) => (
        <>
          <TextInput
            label={t('Name')}
            maxLength={255}
            autoComplete="off"
            value={values.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <AddressField value={values.base_url} onChange={(address) => change({ base_url: address })} />
          {isMoved(values.base_url) && followers.length > 0 && (
            <>
              <Alert variant="outline" color="orange" title={t('The address was changed: enter the keys again')}>
                {t('A stored key is not sent to another address.')}
              </Alert>
              {followers.map((channel) => (
                <KeyField
                  key={channel.id}
                  required
                  label={t('Key {channel}', { channel: nameOf(channel) })}
                  value={values.keys[channel.id] ?? ''}
                  onChange={(key) => change({ keys: { ...values.keys, [channel.id]: key } })}
                />
              ))}
            </>
          )}
          <TextInput
            label={t('Privacy policy')}
            description={t('Its address, shown in the list of providers')}
            inputMode="url"
            autoComplete="off"
            value={values.policy_url}
            onChange={(event) => change({ policy_url: event.currentTarget.value })}
          />
          <Switch
            label={t('It keeps nothing of a call (zero data retention)')}
            checked={values.zero_data_retention}
            onChange={({ currentTarget: { checked } }) => change({ zero_data_retention: checked })}
          />
        </>
      )}
    </FormModal>
  );
}

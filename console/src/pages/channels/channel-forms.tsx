import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { channelsChanged, ofChannel } from '../../api/channels';
import { api, body } from '../../api/client';
import type { ChannelRecord } from '../../api/records';
import { FormModal } from '../../components/form-modal';
import { ProviderSelect } from '../../components/provider-fields';
import { ChannelFields } from './channel-fields';
import { changesOf, isAddressChanged, NEW_CHANNEL, pairsOf, settingsOf, valuesOf } from './channel-values';
import type { ChannelValues } from './channel-values';
import { t } from '../../text/translate';

/** Adds a credential; `onAdded` gets its id. */
export function AddChannel({ onAdded }: { readonly onAdded: (id: string) => void }): ReactNode {
  const add = async (values: ChannelValues): Promise<void> => {
    const { provider, key, secret_headers: secrets } = values;
    const request = { ...settingsOf(values), provider: provider ?? '', key, secret_headers: pairsOf(secrets, ':') };
    const { data } = await body(api.POST('/api/v1/providers/credentials', { body: request }));
    await channelsChanged();
    onAdded(data.id);
  };
  return (
    <FormModal
      label={t('Add')}
      aria-label={t('Add a channel')}
      title={t('Add a channel')}
      action={t('Add and test')}
      initial={NEW_CHANNEL}
      onSubmit={add}
    >
      {(values, change) => (
        <>
          <ProviderSelect value={values.provider} onChange={(provider) => change({ provider })} />
          <ChannelFields
            values={values}
            onChange={change}
            keyTexts={{ label: t('Key at the provider'), required: true }}
            secretHeaders={[]}
          />
        </>
      )}
    </FormModal>
  );
}

interface EditChannelProps {
  readonly channel: ChannelRecord;
  readonly subject: string;
  /** Called when a new key was stored. */
  readonly onKey: () => void;
}

/** Includes the record at the time when the form was opened, so that changes by others are not overwritten. */
interface EditValues extends ChannelValues {
  readonly before: ChannelRecord;
}

export function EditChannel({ channel, subject, onKey }: EditChannelProps): ReactNode {
  const save = async ({ before, ...values }: EditValues): Promise<void> => {
    const former = valuesOf(before);
    const hasNewHeaders = values.secret_headers.trim() !== '';
    const replacesHeaders = hasNewHeaders || (isAddressChanged(former, values) && before.secret_headers.length > 0);
    const request = {
      ...changesOf(former, values),
      ...(values.key === '' ? {} : { key: values.key }),
      ...(replacesHeaders ? { secret_headers: pairsOf(values.secret_headers, ':') } : {}),
    };
    if (Object.keys(request).length === 0) return;
    await api.PATCH('/api/v1/providers/credentials/{id}', { ...ofChannel(channel.id), body: request });
    await channelsChanged();
    if (values.key !== '') onKey();
  };
  return (
    <FormModal
      label={t('Edit')}
      aria-label={t('Edit {subject}', { subject })}
      title={t('Edit {subject}', { subject })}
      action={t('Save')}
      size="compact-sm"
      variant="default"
      initial={{ ...valuesOf(channel), before: channel }}
      onSubmit={save}
    >
      {(values, change) => {
        const isMoved = isAddressChanged(valuesOf(values.before), values);
        const { secret_headers: secretHeaders } = values.before;
        return (
          <ChannelFields
            values={values}
            onChange={change}
            keyTexts={{
              label: t('New key'),
              description: isMoved ? undefined : t('Empty: the stored key stays. It is never shown'),
              required: isMoved,
            }}
            secretHeaders={secretHeaders}
            addressNote={isMoved && <AddressNote secretHeaders={secretHeaders} />}
          />
        );
      }}
    </FormModal>
  );
}

function AddressNote({ secretHeaders }: { readonly secretHeaders: readonly string[] }): ReactNode {
  return (
    <Alert variant="outline" color="orange" title={t('The address was changed: enter the key again')}>
      {t('A stored key is not sent to another address.')}
      {secretHeaders.length > 0 && ` ${t('The stored secret headers are deleted: enter them again too.')}`}
    </Alert>
  );
}

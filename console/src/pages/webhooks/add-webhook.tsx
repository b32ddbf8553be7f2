import { PasswordInput, Select, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { webhooksChanged } from '../../api/webhooks';
import { FormModal } from '../../components/form-modal';
import { EventsField } from './events-field';
import { FORMAT_NAMES, isForPeople, type WebhookEvent, type WebhookFormat } from './webhook-words';
import { t } from '../../text/translate';

const INITIAL = {
  format: 'slack' as WebhookFormat,
  address: '',
  events: [
    'key.limit.threshold',
    'budget.threshold',
    'budget.refused',
    'credits.low',
    'endpoint.unhealthy',
  ] as readonly WebhookEvent[],
};

/** Where to get the address. */
const HINTS: Readonly<Record<WebhookFormat, string>> = {
  slack: t('The URL of an incoming webhook: in Slack, Your apps, Incoming Webhooks.'),
  discord: t('The URL of a webhook: in Discord, Edit channel, Integrations, Webhooks.'),
  teams: t('The URL of a workflow: in Teams, Workflows, "Post to a channel when a webhook request is received".'),
  email: t('The address that gets the mails. The operator must have configured a mail server.'),
  signed: t('An https URL. Each request is signed by Standard Webhooks; the secret is shown once.'),
  otlp: t('The whole URL of a collector, such as https://collector.example.com/v1/logs.'),
};

/** Adds a webhook. `onSecret` receives the secret if the webhook is signed. */
export function AddWebhook({ onSecret }: { readonly onSecret: (secret: string) => void }): ReactNode {
  const add = async ({ format, address, events }: typeof INITIAL): Promise<void> => {
    const place = format === 'email' ? { to: address } : { url: address };
    const chosen = events.filter((event) => event !== 'generation.completed' || !isForPeople(format));
    const { secret } = await body(api.POST('/api/v1/webhooks', { body: { format, events: chosen, ...place } }));
    await webhooksChanged();
    if (format === 'signed' && secret !== null) onSecret(secret);
  };
  return (
    <FormModal
      label={t('Add')}
      aria-label={t('Add an alert or a webhook')}
      title={t('Add an alert or a webhook')}
      action={t('Add')}
      initial={INITIAL}
      onSubmit={add}
    >
      {(values, change) => (
        <>
          <Select
            label={t('Format')}
            data={Object.entries(FORMAT_NAMES).map(([value, label]) => ({ value, label }))}
            value={values.format}
            onChange={(format) => change({ format: format as WebhookFormat, address: '' })}
            allowDeselect={false}
          />
          <Address format={values.format} value={values.address} onChange={(address) => change({ address })} />
          <EventsField format={values.format} value={values.events} onChange={(events) => change({ events })} />
        </>
      )}
    </FormModal>
  );
}

interface AddressProps {
  readonly format: WebhookFormat;
  readonly value: string;
  readonly onChange: (address: string) => void;
}

/** The field of the address. The address of a chat is a secret, so the field hides it. */
function Address({ format, value, onChange }: AddressProps): ReactNode {
  const common = {
    required: true,
    value,
    autoComplete: 'off',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value),
  };
  const hint = (
    <Text size="xs" c="dimmed">
      {HINTS[format]}
    </Text>
  );
  if (format === 'email')
    return (
      <>
        <TextInput {...common} type="email" label={t('Address')} />
        {hint}
      </>
    );
  if (!isForPeople(format))
    return (
      <>
        <TextInput {...common} type="url" label={t('URL')} />
        {hint}
      </>
    );
  return (
    <>
      <PasswordInput
        {...common}
        label={t('URL of the webhook')}
        visibilityToggleButtonProps={{ 'aria-label': t('Show the URL') }}
      />
      {hint}
    </>
  );
}

import { Stack } from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, body } from '../../api/client';
import type { WebhookRecord } from '../../api/records';
import { ofWebhook, useWebhook, webhooksChanged } from '../../api/webhooks';
import { ConfirmButton } from '../../components/confirm-button';
import { Facts } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { SavedForm } from '../../components/saved-form';
import { moment } from '../../format/times';
import { Deliveries } from './deliveries';
import { EventsField } from './events-field';
import { useWebhookTest } from './use-webhook-test';
import { WebhookSecret } from './webhook-secret';
import { addressOf, FORMAT_NAMES, hasSecret, WebhookState, type WebhookEvent } from './webhook-words';
import { t } from '../../text/translate';

export function WebhookPage(): ReactNode {
  const { id } = useParams({ from: '/webhooks/$id' });
  const webhook = useWebhook(id);
  return <Loaded query={webhook}>{(record) => <WebhookDetails webhook={record} />}</Loaded>;
}

function WebhookDetails({ webhook }: { readonly webhook: WebhookRecord }): ReactNode {
  const { id, format } = webhook;
  const [secret, setSecret] = useState<string | null>(null);
  const test = useWebhookTest(id);
  const save = async (changes: { readonly events?: WebhookEvent[]; readonly disabled?: boolean }): Promise<void> => {
    await api.PATCH('/api/v1/webhooks/{id}', { ...ofWebhook(id), body: changes });
    await webhooksChanged();
  };
  return (
    <Stack>
      <PageHeader
        title={addressOf(webhook)}
        about={FORMAT_NAMES[format]}
        parent={<PageLink to="/webhooks">{t('Alerts and webhooks')}</PageLink>}
      >
        {test.button}
        <WebhookActions webhook={webhook} onDisable={(disabled) => save({ disabled })} onSecret={setSecret} />
      </PageHeader>
      {test.result}
      <Facts
        title={t('Facts')}
        rows={[
          [t('State'), <WebhookState key="state" webhook={webhook} />],
          [t('Format'), FORMAT_NAMES[format]],
          [t('Made'), moment(webhook.created_at)],
          [t('Changed'), webhook.updated_at === null ? t('never') : moment(webhook.updated_at)],
        ]}
      />
      <SavedForm title={t('What is sent')} initial={{ events: webhook.events }} onSave={save}>
        {({ events }, change) => (
          <EventsField format={format} value={events} onChange={(chosen) => change({ events: chosen })} />
        )}
      </SavedForm>
      <Deliveries id={id} />
      <WebhookSecret secret={secret} onDone={() => setSecret(null)} />
    </Stack>
  );
}

interface WebhookActionsProps {
  readonly webhook: WebhookRecord;
  readonly onDisable: (disabled: boolean) => Promise<void>;
  readonly onSecret: (secret: string) => void;
}

function WebhookActions({ webhook, onDisable, onSecret }: WebhookActionsProps): ReactNode {
  const navigate = useNavigate();
  const { id, disabled, format } = webhook;
  const subject = addressOf(webhook);
  return (
    <>
      {hasSecret(format) && (
        <ConfirmButton
          label={t('Rotate the secret')}
          subject={t('of {subject}', { subject })}
          question={t('Requests are signed with the new and the present secret for 24 hours.')}
          onConfirm={async () => {
            const rotated = await body(api.POST('/api/v1/webhooks/{id}/rotate', ofWebhook(id)));
            if (rotated.secret !== null) onSecret(rotated.secret);
            await webhooksChanged();
          }}
        />
      )}
      <ConfirmButton
        label={disabled ? t('Enable') : t('Disable')}
        subject={subject}
        question={disabled ? undefined : t('It gets no new events. It can be enabled again.')}
        onConfirm={() => onDisable(!disabled)}
      />
      <ConfirmButton
        label={t('Delete')}
        isRemoval
        subject={subject}
        question={t('It is deleted with the log of its deliveries.')}
        onConfirm={async () => {
          await api.DELETE('/api/v1/webhooks/{id}', ofWebhook(id));
          await navigate({ to: '/webhooks' });
          await webhooksChanged();
        }}
      />
    </>
  );
}

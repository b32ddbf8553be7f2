import { Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { WebhookRecord } from '../../api/records';
import { useWebhooks } from '../../api/webhooks';
import { Ago } from '../../components/ago';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { AddWebhook } from './add-webhook';
import { WebhookSecret } from './webhook-secret';
import { addressOf, eventsText, FORMAT_NAMES, WebhookState } from './webhook-words';
import { t } from '../../text/translate';

const COLUMNS: readonly Column<WebhookRecord>[] = [
  { header: t('Format'), cell: ({ format }) => FORMAT_NAMES[format] },
  {
    header: t('To'),
    cell: (webhook) => (
      <PageLink to="/webhooks/$id" params={{ id: webhook.id }}>
        {addressOf(webhook)}
      </PageLink>
    ),
  },
  { header: t('Events'), cell: ({ events }) => eventsText(events) },
  { header: t('State'), cell: (webhook) => <WebhookState webhook={webhook} /> },
  { header: t('Made'), cell: ({ created_at }) => <Ago iso={created_at} /> },
];

/** The receivers of events: people in chats and mailboxes, and programs. */
export function WebhooksPage(): ReactNode {
  const webhooks = useWebhooks();
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Stack>
      <PageHeader
        title={t('Alerts and webhooks')}
        about={t('Messages to people in chats and by e-mail, and signed requests to programs, when something happens.')}
      >
        <AddWebhook onSecret={setSecret} />
      </PageHeader>
      <Loaded query={webhooks}>
        {(rows) => (
          <DataTable
            label={t('Alerts and webhooks')}
            columns={COLUMNS}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('No webhooks yet. Add one to hear when a limit is nearly spent or a provider fails.')}
          />
        )}
      </Loaded>
      <WebhookSecret secret={secret} onDone={() => setSecret(null)} />
    </Stack>
  );
}

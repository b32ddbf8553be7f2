import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import type { DeliveryRecord } from '../../api/records';
import { useDeliveries, webhooksChanged } from '../../api/webhooks';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { SectionHeader } from '../../components/page-header';
import { ABSENT } from '../../format/amounts';
import { timestamp, zoneLabel } from '../../format/times';
import { t } from '../../text/translate';

const COLOURS: Readonly<Record<string, string>> = { delivered: 'green', failed: 'red', pending: 'blue' };

/** The receiver's response, or the reason why there was none. */
export function outcomeOf({ response_status: status, error }: DeliveryRecord): string {
  if (error !== null) return error;
  return status === null ? t('Nothing was sent yet.') : t('The receiver answered {status}.', { status });
}

const columns = (): readonly Column<DeliveryRecord>[] => [
  { header: t('Time ({zone})', { zone: zoneLabel() }), cell: ({ created_at }) => timestamp(created_at) },
  { header: t('Event'), cell: ({ type }) => type },
  {
    header: t('State'),
    cell: ({ status }) => (
      <Badge color={COLOURS[status]} variant="outline">
        {status}
      </Badge>
    ),
  },
  { header: t('Outcome'), cell: outcomeOf },
  { header: t('Attempts'), cell: ({ attempts }) => attempts, isNumeric: true },
  { header: t('Next attempt'), cell: ({ next_attempt_at: next }) => (next === null ? ABSENT : timestamp(next)) },
];

const resendColumn = (webhook: string): Column<DeliveryRecord> => ({
  header: t('Actions'),
  cell: ({ id, type, created_at }) => (
    <ConfirmButton
      label={t('Resend')}
      subject={t('{type} of {createdAt}', { type, createdAt: timestamp(created_at) })}
      onConfirm={async () => {
        const path = { id: webhook, delivery_id: id };
        await api.POST('/api/v1/webhooks/{id}/deliveries/{delivery_id}/resend', { params: { path } });
        await webhooksChanged();
      }}
    />
  ),
});

/** The deliveries of a webhook, newest first. */
export function Deliveries({ id }: { readonly id: string }): ReactNode {
  const deliveries = useDeliveries(id);
  return (
    <section aria-label={t('Deliveries')}>
      <SectionHeader
        title={t('Deliveries')}
        about={t('Of the last 30 days, up to 100. Their contents are not stored.')}
      />
      <Loaded query={deliveries}>
        {(rows) => (
          <DataTable
            label={t('Deliveries')}
            columns={[...columns(), resendColumn(id)]}
            rows={rows}
            rowKey={(delivery) => delivery.id}
            empty={t('Nothing was sent yet. Send a test to see whether it arrives.')}
          />
        )}
      </Loaded>
    </section>
  );
}

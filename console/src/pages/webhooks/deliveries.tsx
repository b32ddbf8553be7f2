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

const COLOURS: Readonly<Record<string, string>> = { delivered: 'green', failed: 'red', pending: 'blue' };

/** What the receiver said, or why there was no response. */
export function outcomeOf({ response_status: status, error }: DeliveryRecord): string {
  if (error !== null) return error;
  return status === null ? 'Nothing was sent yet.' : `The receiver answered ${status}.`;
}

const columns = (): readonly Column<DeliveryRecord>[] => [
  { header: `Time (${zoneLabel()})`, cell: ({ created_at }) => timestamp(created_at) },
  { header: 'Event', cell: ({ type }) => type },
  {
    header: 'State',
    cell: ({ status }) => (
      <Badge color={COLOURS[status]} variant="outline">
        {status}
      </Badge>
    ),
  },
  { header: 'Outcome', cell: outcomeOf },
  { header: 'Attempts', cell: ({ attempts }) => attempts, isNumeric: true },
  { header: 'Next attempt', cell: ({ next_attempt_at: next }) => (next === null ? ABSENT : timestamp(next)) },
];

const resendColumn = (webhook: string): Column<DeliveryRecord> => ({
  header: 'Actions',
  cell: ({ id, type, created_at }) => (
    <ConfirmButton
      label="Resend"
      subject={`${type} of ${timestamp(created_at)}`}
      onConfirm={async () => {
        const path = { id: webhook, delivery_id: id };
        await api.POST('/api/v1/webhooks/{id}/deliveries/{delivery_id}/resend', { params: { path } });
        await webhooksChanged();
      }}
    />
  ),
});

/** What was sent to a webhook, the newest first. */
export function Deliveries({ id }: { readonly id: string }): ReactNode {
  const deliveries = useDeliveries(id);
  return (
    <section aria-label="Deliveries">
      <SectionHeader title="Deliveries" about="Of the last 30 days, up to 100. Their contents are not stored." />
      <Loaded query={deliveries}>
        {(rows) => (
          <DataTable
            label="Deliveries"
            columns={[...columns(), resendColumn(id)]}
            rows={rows}
            rowKey={(delivery) => delivery.id}
            empty="Nothing was sent yet. Send a test to see whether it arrives."
          />
        )}
      </Loaded>
    </section>
  );
}

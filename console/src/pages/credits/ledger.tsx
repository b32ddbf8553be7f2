import { Group, Select, Title } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { api, body } from '../../api/client';
import { QUERY_KEYS } from '../../api/query-keys';
import type { LedgerEntry } from '../../api/records';
import { PageLink } from '../../components/page-link';
import { ABSENT, exactUsd } from '../../format/amounts';
import { timestamp, zoneLabel } from '../../format/times';
import { useScope } from '../../scope/use-scope';
import { CursorTable } from '../../table/cursor-table';
import type { Column } from '../../table/data-table';
import { useCursorList } from '../../table/use-cursor-list';

const PAGE = 100;
type Kind = LedgerEntry['kind'];

const KIND_LABELS: Readonly<Record<Kind, { readonly one: string; readonly many: string }>> = {
  generation: { one: 'Call', many: 'Calls' },
  grant: { one: 'Grant', many: 'Grants' },
  refund: { one: 'Refund', many: 'Refunds' },
  correction: { one: 'Correction', many: 'Corrections' },
};

const columns = (): readonly Column<LedgerEntry>[] => [
  { header: `Time (${zoneLabel()})`, cell: ({ created_at }) => timestamp(created_at) },
  { header: 'Kind', cell: ({ kind }) => KIND_LABELS[kind].one },
  { header: 'Amount', cell: ({ amount }) => exactUsd(amount), isNumeric: true },
  { header: 'Reason', cell: ({ reason }) => reason ?? ABSENT },
  {
    header: 'Call',
    cell: ({ generation_id: id }) =>
      id ? (
        <PageLink to="/calls/$id" params={{ id }}>
          {id}
        </PageLink>
      ) : (
        ABSENT
      ),
  },
];

/** The entries of the ledger in the time of the header, the newest first. */
export function Ledger(): ReactNode {
  const { time } = useScope();
  const [kind, choose] = useState<Kind>();
  const filters = useMemo(() => ({ kind, start: time.start, end: time.end }), [kind, time]);
  const ledger = useCursorList(QUERY_KEYS.ledger(filters), (cursor) =>
    body(api.GET('/api/v1/ledger', { params: { query: { ...filters, cursor, limit: PAGE } } })),
  );
  return (
    <>
      <Group justify="space-between" align="flex-end">
        <Title order={2}>Ledger</Title>
        <Select
          aria-label="Kind of entry"
          placeholder="All kinds"
          size="xs"
          data={Object.entries(KIND_LABELS).map(([value, { many }]) => ({ value, label: many }))}
          value={kind ?? null}
          onChange={(value) => choose((value as Kind | null) ?? undefined)}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the kind' }}
        />
      </Group>
      <CursorTable
        label="Ledger"
        list={ledger}
        columns={columns()}
        rowKey={({ id }) => id}
        empty="There is no such entry in this time."
      />
    </>
  );
}

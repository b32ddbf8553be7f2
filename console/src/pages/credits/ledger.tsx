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
import { t } from '../../text/translate';

const PAGE = 100;
type Kind = LedgerEntry['kind'];

const KIND_LABELS: Readonly<Record<Kind, { readonly one: string; readonly many: string }>> = {
  generation: { one: t('Call'), many: t('Calls') },
  grant: { one: t('Grant'), many: t('Grants') },
  refund: { one: t('Refund'), many: t('Refunds') },
  correction: { one: t('Correction'), many: t('Corrections') },
};

const columns = (): readonly Column<LedgerEntry>[] => [
  { header: t('Time ({zone})', { zone: zoneLabel() }), cell: ({ created_at }) => timestamp(created_at) },
  { header: t('Kind'), cell: ({ kind }) => KIND_LABELS[kind].one },
  { header: t('Amount'), cell: ({ amount }) => exactUsd(amount), isNumeric: true },
  { header: t('Reason'), cell: ({ reason }) => reason ?? ABSENT },
  {
    header: t('Call'),
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

/** The entries of the ledger in the time range of the header, newest first. */
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
        <Title order={2}>{t('Ledger')}</Title>
        <Select
          aria-label={t('Kind of entry')}
          placeholder={t('All kinds')}
          size="xs"
          data={Object.entries(KIND_LABELS).map(([value, { many }]) => ({ value, label: many }))}
          value={kind ?? null}
          onChange={(value) => choose((value as Kind | null) ?? undefined)}
          clearable
          clearButtonProps={{ 'aria-label': t('Clear the kind') }}
        />
      </Group>
      <CursorTable
        label={t('Ledger')}
        list={ledger}
        columns={columns()}
        rowKey={({ id }) => id}
        empty={t('No such entries in this time.')}
      />
    </>
  );
}

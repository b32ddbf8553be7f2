import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import { useKeyNames } from '../../api/keys';
import type { AuditEntry } from '../../api/records';
import { CursorTable } from '../../table/cursor-table';
import type { Column } from '../../table/data-table';
import { PageHeader } from '../../components/page-header';
import { useCursorList } from '../../table/use-cursor-list';
import { ABSENT } from '../../format/amounts';
import { timestamp, zoneLabel } from '../../format/times';

const PAGE = 100;

/** A key stands for the member whose key it is. */
function actorOf({ actor, api_key_hash }: AuditEntry, nameOf: (hash: unknown) => string): string {
  return api_key_hash ? `key ${nameOf(api_key_hash)}` : actor;
}

const columnsWith = (nameOf: (hash: unknown) => string): Column<AuditEntry>[] => [
  { header: `Time (${zoneLabel()})`, cell: ({ at }) => timestamp(at) },
  { header: 'Action', cell: ({ action }) => action },
  { header: 'Kind', cell: ({ kind }) => kind },
  { header: 'Subject', cell: ({ id }) => id },
  { header: 'By', cell: (entry) => actorOf(entry, nameOf) },
  { header: 'From', cell: ({ address }) => address ?? ABSENT },
  { header: 'Request', cell: ({ request_id }) => request_id ?? ABSENT },
];

/** Each management operation and each use of a secret. */
export function AuditPage(): ReactNode {
  const nameOf = useKeyNames();
  const entries = useCursorList(QUERY_KEYS.audit, (cursor) =>
    body(api.GET('/api/v1/audit', { params: { query: { cursor, limit: PAGE } } })),
  );
  return (
    <Stack>
      <PageHeader title="Audit" about="Who did what, when and from where. Entries cannot be changed or deleted." />
      <CursorTable
        label="Audit"
        list={entries}
        columns={columnsWith(nameOf)}
        rowKey={({ entry_id }) => entry_id}
        empty="There is no entry yet."
      />
    </Stack>
  );
}

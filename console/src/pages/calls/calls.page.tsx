import { Badge, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import { useKeyNames, useKeys } from '../../api/keys';
import type { ListedCall } from '../../api/records';
import { useMay } from '../../api/session';
import { CursorTable } from '../../table/cursor-table';
import type { Column } from '../../table/data-table';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { useCursorList } from '../../table/use-cursor-list';
import { ABSENT, count, milliseconds, usd } from '../../format/amounts';
import { timestamp, zoneLabel } from '../../format/times';
import type { TimeRange } from '../../format/ranges';
import { useScope } from '../../scope/use-scope';
import type { CallFilters } from './call-filters';

const PAGE = 100;
const FIRST_ERROR_STATUS = 400;

/** The HTTP status as a badge. */
export function StatusBadge({ status }: { readonly status: number }): ReactNode {
  const isError = status >= FIRST_ERROR_STATUS;
  return (
    <Badge color={isError ? 'red' : 'green'} variant="outline">
      {isError ? `Error ${status}` : `OK ${status}`}
    </Badge>
  );
}

function columnsWith(nameOf: (hash: unknown) => string): Column<ListedCall>[] {
  return [
    {
      header: `Time (${zoneLabel()})`,
      cell: ({ id, created_at }) => (
        <PageLink to="/calls/$id" params={{ id }}>
          {timestamp(created_at)}
        </PageLink>
      ),
    },
    { header: 'Model', cell: ({ model }) => model ?? ABSENT },
    { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
    { header: 'Spent', cell: ({ usage }) => usd(usage), isNumeric: true },
    {
      header: 'On own credentials',
      cell: ({ is_byok, total_cost }) => (is_byok ? usd(total_cost) : ABSENT),
      isNumeric: true,
    },
    { header: 'Prompt', cell: ({ tokens_prompt }) => count(tokens_prompt), isNumeric: true },
    { header: 'Completion', cell: ({ tokens_completion }) => count(tokens_completion), isNumeric: true },
    { header: 'First byte', cell: ({ latency }) => milliseconds(latency), isNumeric: true },
    { header: 'Duration', cell: ({ generation_time }) => milliseconds(generation_time), isNumeric: true },
    { header: 'Key', cell: ({ api_key_hash }) => (api_key_hash ? nameOf(api_key_hash) : ABSENT) },
    { header: 'Provider', cell: ({ provider_name }) => provider_name ?? ABSENT },
  ];
}

function queryOf({ model, key, status }: CallFilters, { start, end }: TimeRange) {
  return {
    model,
    api_key_hash: key,
    error: status && status === 'errors',
    start,
    end,
  };
}

/** The calls of the account, or of the key of the session, newest first. */
export function CallsPage(): ReactNode {
  const search = useSearch({ from: '/calls' });
  const navigate = useNavigate({ from: '/calls' });
  const nameOf = useKeyNames();
  const { time } = useScope();
  const filters = useMemo(() => queryOf(search, time), [search, time]);
  const calls = useCursorList(QUERY_KEYS.calls(filters), (cursor) =>
    body(api.GET('/api/v1/generations', { params: { query: { ...filters, cursor, limit: PAGE } } })),
  );
  const change = (part: CallFilters): void => void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  return (
    <Stack>
      <PageHeader title="Calls" about="Each call with its attempts, tokens and price, newest first." />
      <Filters search={search} onChange={change} />
      <CursorTable
        label="Calls"
        list={calls}
        columns={columnsWith(nameOf)}
        rowKey={({ id }) => id}
        empty="No calls match. Calls appear here as they end: make one in the playground, or with a key."
      />
    </Stack>
  );
}

interface FiltersProps {
  readonly search: CallFilters;
  readonly onChange: (part: CallFilters) => void;
}

function Filters({ search, onChange }: FiltersProps): ReactNode {
  const keys = useKeys();
  const readsKeys = useMay('keys.read');
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      <TextInput
        label="Model"
        placeholder="all"
        value={search.model ?? ''}
        onChange={(event) => onChange({ model: event.currentTarget.value || undefined })}
      />
      {readsKeys && (
        <Select
          label="Key"
          placeholder="all"
          data={(keys.data ?? []).map(({ hash, name }) => ({ value: hash, label: name }))}
          value={search.key ?? null}
          onChange={(key) => onChange({ key: key ?? undefined })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the key' }}
        />
      )}
      <Select
        label="Outcome"
        placeholder="all"
        data={[
          { value: 'ok', label: 'Successful' },
          { value: 'errors', label: 'Failed' },
        ]}
        value={search.status ?? null}
        onChange={(status) => onChange({ status: status ?? undefined })}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear the outcome' }}
      />
    </SimpleGrid>
  );
}

import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import type { LedgerEntry } from '../../api/records';
import { CursorTable } from '../../table/cursor-table';
import type { Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { useCursorList } from '../../table/use-cursor-list';
import { ABSENT, exactUsd, usd } from '../../format/amounts';
import { timestamp, zoneLabel } from '../../format/times';

const PAGE = 100;

const columns = (): readonly Column<LedgerEntry>[] => [
  { header: `Time (${zoneLabel()})`, cell: ({ created_at }) => timestamp(created_at) },
  { header: 'Kind', cell: ({ kind }) => kind },
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

/** What was granted and spent, and each entry of the ledger. */
export function CreditsPage(): ReactNode {
  const credits = useQuery({
    queryKey: QUERY_KEYS.credits,
    queryFn: async () => (await body(api.GET('/api/v1/credits'))).data,
  });
  const ledger = useCursorList(QUERY_KEYS.ledger, (cursor) =>
    body(api.GET('/api/v1/ledger', { params: { query: { cursor, limit: PAGE } } })),
  );
  return (
    <Stack>
      <PageHeader title="Credits" about="Operators grant credits: npm run -s operator -- credits grant --help" />
      <Loaded query={credits}>
        {({ total_credits, total_usage }) => (
          <SimpleGrid cols={{ base: 1, xs: 3 }} component="dl" m={0}>
            <Amount label="Granted" amount={total_credits} />
            <Amount label="Spent" amount={total_usage} />
            <Amount label="Left" amount={total_credits - total_usage} />
          </SimpleGrid>
        )}
      </Loaded>
      <Title order={2}>Ledger</Title>
      <CursorTable
        label="Ledger"
        list={ledger}
        columns={columns()}
        rowKey={({ id }) => id}
        empty="There is no entry yet."
      />
    </Stack>
  );
}

function Amount({ label, amount }: { readonly label: string; readonly amount: number }): ReactNode {
  return (
    <Paper withBorder p="sm">
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fw={700} size="lg">
        {usd(amount)}
      </Text>
    </Paper>
  );
}

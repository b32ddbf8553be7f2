import { Anchor, Badge, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { callableModels, modelsBy } from '../../api/models';
import { useProviders } from '../../api/providers';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { count } from '../../format/amounts';

const POLL_MS = 10_000;

async function statusOf(path: string): Promise<number> {
  const { status } = await fetch(path);
  return status;
}

/** Whether the service works, and what it can reach. */
export function HealthPage(): ReactNode {
  const probes = useQuery({
    queryKey: QUERY_KEYS.health,
    queryFn: async () => {
      const [live, ready] = await Promise.all([statusOf('/healthz'), statusOf('/readyz')]);
      return { live, ready };
    },
    refetchInterval: POLL_MS,
  });
  const models = useQuery(modelsBy({}));
  const callable = useQuery(callableModels);
  const providers = useProviders();
  return (
    <Stack>
      <PageHeader title="Health" about="Checked every ten seconds." />
      <Paper withBorder p="sm" maw={560}>
        <Title order={2} mb="xs">
          Service
        </Title>
        <Loaded query={probes}>
          {({ live, ready }) => (
            <Table
              variant="vertical"
              aria-label="Service"
              data={{
                body: [
                  ['Process', <Probe key="live" status={live} />],
                  ['Database and data folder', <Probe key="ready" status={ready} />],
                ],
              }}
            />
          )}
        </Loaded>
      </Paper>
      <Paper withBorder p="sm" maw={560}>
        <Title order={2} mb="xs">
          Catalogue
        </Title>
        <Text size="sm">
          {count(models.data?.length)} models of {count(providers.data?.length)} providers;{' '}
          {count(callable.data?.length)} of the models can be called with this session.
        </Text>
      </Paper>
      <Text size="sm">
        Operations in full:{' '}
        <Anchor href="/docs" underline="always">
          API documentation
        </Anchor>
      </Text>
    </Stack>
  );
}

function Probe({ status }: { readonly status: number }): ReactNode {
  const isWell = status === 200;
  return (
    <Badge color={isWell ? 'green' : 'red'} variant="outline">
      {isWell ? 'Well' : `Failing (${status})`}
    </Badge>
  );
}

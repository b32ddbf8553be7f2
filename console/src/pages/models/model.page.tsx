import { Alert, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callableModels, endpointsOf } from '../../api/models';
import type { ModelEndpoint } from '../../api/records';
import { CodeBlock } from '../../components/code-block';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT, completionPrice, count, perMillion, promptPrice } from '../../format/amounts';
import { ImagePrices } from './image-prices';
import { CallableBadge } from './models.page';

const percent = (value: number | null): string => (value === null ? ABSENT : `${value.toFixed(1)} %`);
const MIN_HEALTHY_PERCENT = 99;

function Health({ endpoint }: { readonly endpoint: ModelEndpoint }): ReactNode {
  const uptime = endpoint.uptime_last_30m;
  if (uptime === null) return 'no calls lately';
  return (
    <Badge color={uptime >= MIN_HEALTHY_PERCENT ? 'green' : 'red'} variant="outline">
      {percent(uptime)}
    </Badge>
  );
}

const p50 = (figures: ModelEndpoint['latency_last_30m']): string =>
  figures && typeof figures['p50'] === 'number' ? count(figures['p50']) : ABSENT;

const COLUMNS: readonly Column<ModelEndpoint>[] = [
  { header: 'Provider', cell: ({ provider_name }) => provider_name },
  { header: 'Uptime, 30 min', cell: (endpoint) => <Health endpoint={endpoint} /> },
  { header: 'Uptime, 1 day', cell: ({ uptime_last_1d }) => percent(uptime_last_1d), isNumeric: true },
  { header: 'First byte, ms', cell: ({ latency_last_30m }) => p50(latency_last_30m), isNumeric: true },
  { header: 'Tokens per second', cell: ({ throughput_last_30m }) => p50(throughput_last_30m), isNumeric: true },
  { header: 'Prompt, per 1M', cell: ({ pricing }) => promptPrice(pricing), isNumeric: true },
  { header: 'Cached, per 1M', cell: ({ pricing }) => perMillion(pricing.input_cache_read), isNumeric: true },
  { header: 'Completion, per 1M', cell: ({ pricing }) => completionPrice(pricing), isNumeric: true },
  { header: 'Image', cell: ({ pricing }) => perMillion(pricing.image_output ?? pricing.image), isNumeric: true },
  { header: 'Context', cell: ({ context_length }) => count(context_length || null), isNumeric: true },
];

/** A model with its providers, prices and health, and what is missing to call it. */
export function ModelPage(): ReactNode {
  const { author, slug } = useParams({ from: '/models/$author/$slug' });
  const id = `${author}/${slug}`;
  const model = useQuery(endpointsOf(id));
  const callable = useQuery(callableModels);
  const isCallable = callable.data?.some((other) => other.id === id);
  return (
    <Loaded query={model}>
      {({ name, description, architecture, endpoints }) => (
        <Stack>
          <PageHeader title={name} about={id}>
            {isCallable !== undefined && <CallableBadge isCallable={isCallable} />}
            {isCallable && (
              <PageLink to="/playground" search={{ models: [id] }}>
                Try it
              </PageLink>
            )}
          </PageHeader>
          {isCallable === false && <Missing endpoints={endpoints} />}
          <Text className="wrap" maw={720}>
            {description}
          </Text>
          <Group gap="xs">
            {[
              ...architecture.input_modalities.map((name) => `takes ${name}`),
              ...architecture.output_modalities.map((name) => `makes ${name}`),
            ].map((word) => (
              <Badge key={word} variant="default">
                {word}
              </Badge>
            ))}
          </Group>
          {architecture.output_modalities.includes('image') && <ImagePrices id={id} />}
          <Paper withBorder p="sm">
            <Title order={2} mb="xs">
              Providers
            </Title>
            <DataTable
              label="Providers"
              columns={COLUMNS}
              rows={endpoints}
              rowKey={({ tag }, index) => `${tag} ${index}`}
              empty="No provider offers it."
            />
          </Paper>
        </Stack>
      )}
    </Loaded>
  );
}

/** The prefix of the environment variables of a provider, as docs/configuration.md lists them. */
const variableOf = (tag: string): string =>
  `${tag
    .split('/')[0]!
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')}_API_KEY`;

function Missing({ endpoints }: { readonly endpoints: readonly ModelEndpoint[] }): ReactNode {
  const variables = [...new Set(endpoints.map(({ tag }) => variableOf(tag)))];
  return (
    <Alert color="orange" variant="outline" title="It cannot be called yet">
      <Stack gap="xs">
        <Text size="sm">
          It needs a credential of one of its providers. Add one under{' '}
          <PageLink to="/provider-credentials" underline="always">
            Provider credentials
          </PageLink>
          , or set one of these variables and restart the service:
        </Text>
        <CodeBlock label="Variables" code={variables.join('\n')} />
      </Stack>
    </Alert>
  );
}

import { Alert, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callableModels, endpointsOf } from '../../api/models';
import type { ModelEndpoint } from '../../api/records';
import { useMay } from '../../api/session';
import { CodeBlock } from '../../components/code-block';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT, completionPrice, count, perMillion, percentage, promptPrice } from '../../format/amounts';
import { ImagePrices } from './image-prices';
import { CallableBadge } from './models.page';
import { rich } from '../../text/rich';
import { t } from '../../text/translate';
import { Placeholder } from '../../components/placeholder';

const MIN_HEALTHY_PERCENT = 99;

function Health({ endpoint }: { readonly endpoint: ModelEndpoint }): ReactNode {
  const uptime = endpoint.uptime_last_30m;
  if (uptime === null) return t('no calls lately');
  return (
    <Badge color={uptime >= MIN_HEALTHY_PERCENT ? 'green' : 'red'} variant="outline">
      {percentage(uptime)}
    </Badge>
  );
}

const p50 = (figures: ModelEndpoint['latency_last_30m']): string =>
  figures && typeof figures['p50'] === 'number' ? count(figures['p50']) : ABSENT;

const COLUMNS: readonly Column<ModelEndpoint>[] = [
  { header: t('Provider'), cell: ({ provider_name }) => provider_name },
  { header: t('Uptime, 30 min'), cell: (endpoint) => <Health endpoint={endpoint} /> },
  { header: t('Uptime, 1 day'), cell: ({ uptime_last_1d }) => percentage(uptime_last_1d), isNumeric: true },
  { header: t('First byte, ms'), cell: ({ latency_last_30m }) => p50(latency_last_30m), isNumeric: true },
  { header: t('Tokens/s'), cell: ({ throughput_last_30m }) => p50(throughput_last_30m), isNumeric: true },
  { header: t('Prompt'), cell: ({ pricing }) => promptPrice(pricing), isNumeric: true },
  { header: t('Cached'), cell: ({ pricing }) => perMillion(pricing.input_cache_read), isNumeric: true },
  { header: t('Completion'), cell: ({ pricing }) => completionPrice(pricing), isNumeric: true },
  { header: t('Image'), cell: ({ pricing }) => perMillion(pricing.image_output ?? pricing.image), isNumeric: true },
  { header: t('Context'), cell: ({ context_length }) => count(context_length || null), isNumeric: true },
];

/** A model with its providers, prices and health, and the missing requirements for calling it. */
export function ModelPage(): ReactNode {
  const { author, slug } = useParams({ from: '/models/$author/$slug' });
  const id = `${author}/${slug}`;
  const model = useQuery(endpointsOf(id));
  const callable = useQuery(callableModels);
  const isCallable = callable.data?.some((other) => other.id === id);
  // The notice is above the rest of the page, so wait for the response: otherwise the rest would move.
  if (callable.isPending) return <Waiting />;
  return (
    <Loaded query={model} placeholder={<Waiting />}>
      {({ name, description, architecture, endpoints }) => (
        <Stack>
          <PageHeader title={name} about={id} parent={<PageLink to="/models">{t('Models')}</PageLink>}>
            {isCallable !== undefined && <CallableBadge isCallable={isCallable} />}
            {isCallable && (
              <PageLink to="/playground" search={{ models: [id] }}>
                {t('Try it')}
              </PageLink>
            )}
          </PageHeader>
          {isCallable === false && <Missing endpoints={endpoints} />}
          <Text className="wrap" maw={720}>
            {description}
          </Text>
          <Group gap="xs">
            {[
              ...architecture.input_modalities.map((name) => t('takes {name}', { name })),
              ...architecture.output_modalities.map((name) => t('makes {name}', { name })),
            ].map((word) => (
              <Badge key={word} variant="default">
                {word}
              </Badge>
            ))}
          </Group>
          {architecture.output_modalities.includes('image') && <ImagePrices id={id} />}
          <Paper withBorder p="sm">
            <Title order={2}>{t('Providers')}</Title>
            <Text size="sm" c="dimmed" mb="xs">
              {t('Prices in USD per 1M tokens.')}
            </Text>
            <DataTable
              label={t('Providers')}
              columns={COLUMNS}
              rows={endpoints}
              rowKey={({ tag }, index) => `${tag} ${index}`}
              empty={t('No provider offers it.')}
            />
          </Paper>
        </Stack>
      )}
    </Loaded>
  );
}

const Waiting = (): ReactNode => <Placeholder h={300} />;

/** The environment variable of a provider's key, as in docs/configuration.md. */
const variableOf = (tag: string): string =>
  `${tag
    .split('/')[0]!
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')}_API_KEY`;

function Missing({ endpoints }: { readonly endpoints: readonly ModelEndpoint[] }): ReactNode {
  const canAdd = useMay('byok.write');
  const variables = [...new Set(endpoints.map(({ tag }) => variableOf(tag)))];
  if (!canAdd)
    return (
      <Alert color="orange" variant="outline" title={t('It cannot be called yet')}>
        {t('It needs a credential of one of its providers. An owner or an admin can add one.')}
      </Alert>
    );
  return (
    <Alert color="orange" variant="outline" title={t('It cannot be called yet')}>
      <Stack gap="xs">
        <Text size="sm">
          {rich(
            'It needs a credential of one of its providers. Add one under {link}, or set one of these ' +
              'variables and restart the service:',
            {
              link: (
                <PageLink to="/provider-credentials" underline="always">
                  {t('Provider credentials')}
                </PageLink>
              ),
            },
          )}
        </Text>
        <CodeBlock label={t('Variables')} code={variables.join('\n')} />
      </Stack>
    </Alert>
  );
}

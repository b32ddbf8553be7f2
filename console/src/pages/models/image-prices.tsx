import { Paper, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, body } from '../../api/client';
import { modelPath } from '../../api/models';
import { QUERY_KEYS } from '../../api/query-keys';
import type { components } from '../../api/schema';
import { Loaded } from '../../components/loaded';
import { usd } from '../../format/amounts';
import { DataTable, type Column } from '../../table/data-table';
import { t } from '../../text/translate';

interface PriceRow extends Readonly<components['schemas']['ImagePricing']> {
  readonly provider: string;
}

const wordsOf = (name: string): string => name.replaceAll('_', ' ');

const COLUMNS: readonly Column<PriceRow>[] = [
  { header: t('Provider'), cell: ({ provider }) => provider },
  { header: t('What'), cell: ({ billable, variant }) => wordsOf(variant ? `${billable}, ${variant}` : billable) },
  {
    header: t('Price'),
    cell: ({ cost_usd: cost, unit }) => t('{cost} per {unit}', { cost: usd(cost), unit: wordsOf(unit) }),
  },
];

/** The prices of a model's images, by provider. For most image models the token prices are not enough. */
export function ImagePrices({ id }: { readonly id: string }): ReactNode {
  const prices = useQuery({
    queryKey: QUERY_KEYS.imageEndpoints(id),
    queryFn: async () => {
      const path = modelPath(id);
      const { endpoints } = await body(
        api.GET('/api/v1/images/models/{author}/{slug}/endpoints', { params: { path } }),
      );
      return endpoints.flatMap(({ provider_name: provider, pricing }) =>
        pricing.map((price): PriceRow => ({ ...price, provider })),
      );
    },
  });
  return (
    <Paper withBorder p="sm">
      <Title order={2} mb="xs">
        {t('Prices of images')}
      </Title>
      <Loaded query={prices}>
        {(rows) => (
          <DataTable
            label={t('Prices of images')}
            columns={COLUMNS}
            rows={rows}
            rowKey={({ provider, billable, variant, unit }) => [provider, billable, variant, unit].join(' ')}
            empty={t('The catalogue has no price of its images.')}
          />
        )}
      </Loaded>
    </Paper>
  );
}

import { Badge, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { callableModels, modelsBy, modelPath } from '../../api/models';
import type { ModelRecord } from '../../api/records';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT, completionPrice, count, promptPrice } from '../../format/amounts';
import { date } from '../../format/times';
import { ModelFilterForm } from './model-filter-form';
import type { ModelsSearch } from './model-filters';

const TYPING_PAUSE_MS = 250;

export function CallableBadge({ isCallable }: { readonly isCallable: boolean }): ReactNode {
  return (
    <Badge color={isCallable ? 'green' : 'gray'} variant={isCallable ? 'outline' : 'default'}>
      {isCallable ? 'Callable' : 'No credential'}
    </Badge>
  );
}

/** Zero is no price of tokens then. The page of the model has the prices of images. */
const isPricedByImage = ({ architecture, pricing }: ModelRecord): boolean =>
  architecture.output_modalities.includes('image') && Number(pricing.prompt) === 0 && Number(pricing.completion) === 0;

const columnsWith = (callable: ReadonlySet<string>): Column<ModelRecord>[] => [
  {
    header: 'Model',
    cell: ({ id }) => (
      <PageLink to="/models/$author/$slug" params={modelPath(id)}>
        {id}
      </PageLink>
    ),
  },
  { header: 'State', cell: ({ id }) => <CallableBadge isCallable={callable.has(id)} /> },
  {
    header: 'Prompt per 1M',
    cell: (model) => (isPricedByImage(model) ? 'by the image' : promptPrice(model.pricing)),
    isNumeric: true,
  },
  {
    header: 'Completion per 1M',
    cell: (model) => (isPricedByImage(model) ? ABSENT : completionPrice(model.pricing)),
    isNumeric: true,
  },
  { header: 'Context', cell: ({ context_length }) => count(context_length || null), isNumeric: true },
  { header: 'In → out', cell: ({ architecture }) => architecture.modality },
  { header: 'Released', cell: ({ created }) => date(new Date(created * 1000).toISOString()) },
];

/** The catalogue, with the filters of the API. */
export function ModelsPage(): ReactNode {
  const search = useSearch({ from: '/models' });
  const navigate = useNavigate({ from: '/models' });
  const [{ callable: onlyCallable, ...filters }] = useDebouncedValue(search, TYPING_PAUSE_MS);
  const models = useQuery(modelsBy(filters));
  const callable = useQuery(callableModels);
  const ids = new Set((callable.data ?? []).map(({ id }) => id));
  const change = (part: ModelsSearch): void => void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  return (
    <Stack>
      <PageHeader
        title="Models"
        about="Prices in USD per 1M tokens are of the first provider; the page of a model has them all."
      />
      <ModelFilterForm search={search} onChange={change} />
      <Loaded query={models}>
        {(data) => {
          const shown = onlyCallable ? data.filter(({ id }) => ids.has(id)) : data;
          return (
            <>
              <Text size="sm" c="dimmed" role="status">
                {count(shown.length)} models, {count(shown.filter(({ id }) => ids.has(id)).length)} of them can be
                called now
              </Text>
              <DataTable
                label="Models"
                columns={columnsWith(ids)}
                rows={shown}
                rowKey={({ id }) => id}
                empty="No model matches these filters."
              />
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}

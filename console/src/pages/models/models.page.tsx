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
import { plural, t } from '../../text/translate';

const TYPING_PAUSE_MS = 250;

export function CallableBadge({ isCallable }: { readonly isCallable: boolean }): ReactNode {
  return (
    <Badge color={isCallable ? 'green' : 'gray'} variant={isCallable ? 'outline' : 'default'}>
      {isCallable ? t('Callable') : t('No credential')}
    </Badge>
  );
}

/** If true, the token prices are zero and not meaningful. The page of the model shows the prices of images. */
const isPricedByImage = ({ architecture, pricing }: ModelRecord): boolean =>
  architecture.output_modalities.includes('image') && Number(pricing.prompt) === 0 && Number(pricing.completion) === 0;

/** A text such as "text, image → text". */
const modalityText = (modality: string): string => modality.replaceAll('+', ', ').replace('->', ' → ');

const columnsWith = (callable: ReadonlySet<string>): Column<ModelRecord>[] => [
  {
    header: t('Model'),
    cell: ({ id }) => (
      <PageLink to="/models/$author/$slug" params={modelPath(id)}>
        {id}
      </PageLink>
    ),
  },
  { header: t('State'), cell: ({ id }) => <CallableBadge isCallable={callable.has(id)} /> },
  {
    header: t('Prompt'),
    cell: (model) => (isPricedByImage(model) ? t('by the image') : promptPrice(model.pricing)),
    isNumeric: true,
  },
  {
    header: t('Completion'),
    cell: (model) => (isPricedByImage(model) ? ABSENT : completionPrice(model.pricing)),
    isNumeric: true,
  },
  { header: t('Context'), cell: ({ context_length }) => count(context_length || null), isNumeric: true },
  { header: t('In → out'), cell: ({ architecture }) => modalityText(architecture.modality) },
  { header: t('Released'), cell: ({ created }) => date(new Date(created * 1000).toISOString()) },
];

/** The models of the catalogue, with the filters of the API. */
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
        title={t('Models')}
        about={t(
          'Prices are in USD per 1M tokens, usually of the preferred provider. The page of a model shows all prices.',
        )}
      />
      <ModelFilterForm search={search} onChange={change} />
      <Loaded query={models}>
        {(data) => {
          const shown = onlyCallable ? data.filter(({ id }) => ids.has(id)) : data;
          return (
            <>
              <Text size="sm" c="dimmed" role="status">
                {t('{models}, {callable} of them can be called now', {
                  models: plural(shown.length, '{count} model', '{count} models'),
                  callable: count(shown.filter(({ id }) => ids.has(id)).length),
                })}
              </Text>
              <DataTable
                label={t('Models')}
                columns={columnsWith(ids)}
                rows={shown}
                rowKey={({ id }) => id}
                empty={t('No model matches these filters.')}
              />
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}

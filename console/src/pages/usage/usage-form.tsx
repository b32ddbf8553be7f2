import { Fieldset, MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { components } from '../../api/schema';
import { NamePicker } from '../../names/name-picker';
import { DEFAULT_METRICS, type UsageSearch } from './usage-query';
import { t } from '../../text/translate';

type Words = components['schemas']['AnalyticsMeta'];

interface UsageFormProps {
  readonly search: UsageSearch;
  readonly words: Words;
  readonly onChange: (part: UsageSearch) => void;
}

const choices = (words: readonly { name: string; display_label: string }[]): { value: string; label: string }[] =>
  words.map(({ name, display_label }) => ({ value: name, label: display_label }));
const listOrNone = (list: string[]): string[] | undefined => (list.length > 0 ? list : undefined);

export function UsageForm({ search, words, onChange }: UsageFormProps): ReactNode {
  return (
    <Fieldset legend={t('Query')} p="sm">
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3, lg: 6 }} className="query">
        <MultiSelect
          className="query-metrics"
          label={t('Metrics')}
          data={choices(words.metrics)}
          value={[...(search.metrics ?? DEFAULT_METRICS)]}
          onChange={(metrics) => onChange({ metrics: listOrNone(metrics) })}
          searchable
        />
        <MultiSelect
          label={t('Group by')}
          description={t('Up to two')}
          inputWrapperOrder={['label', 'input']}
          // Gives the field the same height as the fields next to it.
          styles={{ inputField: { minWidth: 20 } }}
          data={choices(words.dimensions)}
          value={[...(search.by ?? [])]}
          maxValues={2}
          onChange={(by) => onChange({ by: listOrNone(by) })}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('Clear the groups') }}
        />
        <Select
          label={t('Per')}
          placeholder={t('whole time')}
          data={choices(words.granularities)}
          value={search.granularity ?? null}
          onChange={(granularity) => onChange({ granularity: granularity ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': t('Clear the granularity') }}
        />
        <NamePicker kind="key" label={t('Key')} value={search.key} onChange={(key) => onChange({ key })} />
        <TextInput
          label={t('Model')}
          placeholder={t('all')}
          value={search.model ?? ''}
          onChange={(event) => onChange({ model: event.currentTarget.value || undefined })}
        />
        <Select
          label={t('Outcome')}
          placeholder={t('all')}
          data={[
            { value: 'ok', label: t('Successful') },
            { value: 'errors', label: t('Failed') },
          ]}
          value={search.status ?? null}
          onChange={(status) => onChange({ status: status ?? undefined })}
          clearable
          clearButtonProps={{ 'aria-label': t('Clear the outcome') }}
        />
      </SimpleGrid>
    </Fieldset>
  );
}
